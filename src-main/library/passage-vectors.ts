import type { LibraryPassage, LibraryStore } from '../storage/library-types.ts';
import type { IndexInput, PassageToEmbed } from './index-messages.ts';
import { WritePace } from './write-pace.ts';

const REMOVED_AT_ONCE = 500;
/** What an embedding costs, in characters that are indexed. */
const CHARS_OF_VECTOR = 2_000;

/** Passages that want an embedding, with the titles of their documents. */
export function unembedded(
  store: LibraryStore,
  { model, after, limit }: IndexInput<'unembedded'>,
): PassageToEmbed[] {
  const passages = store.unembeddedAfter(model, after, limit);
  const titles = titlesOf(store, passages);
  return passages.map(({ id, fileId, text }) => ({
    ...{ id, text: `${titles.get(fileId) ?? ''}\n\n${text.trim()}` },
  }));
}

export async function putVectors(
  store: LibraryStore,
  { model, vectors }: IndexInput<'putVectors'>,
): Promise<void> {
  const pace = new WritePace(store);
  for (const { id, vector } of vectors) {
    await pace.add(() => store.putVector(id, model, bytesOf(vector)), CHARS_OF_VECTOR);
  }
  await pace.flush();
}

/** Embeddings that no model of today can be compared with. */
export async function removeOthers(
  store: LibraryStore,
  model: string,
  signal: AbortSignal,
): Promise<void> {
  const pace = new WritePace(store);
  for (;;) {
    signal.throwIfAborted();
    let removed = 0;
    await pace.add(() => {
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
