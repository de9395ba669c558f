import type { LibraryPassage, LibraryStore } from '../storage/library-types.ts';
import type { IndexInput, PassageToEmbed } from './index-messages.ts';
import { WriteBatcher } from './write-batcher.ts';

const REMOVED_AT_ONCE = 500;
/** Cost of storing an embedding, as a number of indexed characters. */
const CHARS_OF_VECTOR = 2_000;

/** Passages without an embedding of the model, with the titles of their documents. */
export function passagesToEmbed(
  store: LibraryStore,
  { model, after, limit }: IndexInput<'passagesToEmbed'>,
): PassageToEmbed[] {
  const passages = store.unembeddedAfter(model, after, limit);
  const titles = titlesOf(store, passages);
  return passages.map(({ id, fileId, text }) => ({
    id,
    text: `${titles.get(fileId) ?? ''}\n\n${text.trim()}`,
  }));
}

export async function putVectors(
  store: LibraryStore,
  { model, vectors }: IndexInput<'putVectors'>,
): Promise<void> {
  const writes = new WriteBatcher(store);
  for (const { id, vector } of vectors) {
    await writes.add(() => store.putVector(id, model, bytesOf(vector)), CHARS_OF_VECTOR);
  }
  await writes.flush();
}

/** Removes embeddings of all other models: vectors of two models cannot be compared. */
export async function removeOtherModels(
  store: LibraryStore,
  model: string,
  signal: AbortSignal,
): Promise<void> {
  const writes = new WriteBatcher(store);
  for (;;) {
    signal.throwIfAborted();
    let removed = 0;
    await writes.add(() => {
      removed = store.removeVectorsExcept(model, REMOVED_AT_ONCE);
    }, Number.POSITIVE_INFINITY);
    if (removed === 0) return;
  }
}

function titlesOf(
  store: LibraryStore,
  passages: readonly LibraryPassage[],
): ReadonlyMap<number, string> {
  const ids = [...new Set(passages.map(({ fileId }) => fileId))];
  return new Map(store.filesById(ids).map(({ id, title }) => [id, title]));
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
