import type { ModelRef } from '#contract/entities.ts';
import type { LibraryPassage, LibraryStore } from '../../storage/library-types.ts';
import type { EmbeddingModel } from '../llm/embeddings/embedding-service.ts';
import { WritePace } from './write-pace.ts';

/** Passages in one request. */
const BATCH = 32;
const REMOVED_AT_ONCE = 500;
/** One batch is written at once. */
const CHARS_OF_VECTOR = 2_000;

/** How a model is named beside its embeddings. */
export function modelName({ provider, name }: ModelRef): string {
  return `${provider}:${name}`;
}

/**
 * Makes the embeddings that are missing, oldest passages first, and removes those of other models. Throws
 * what the model throws; what was made until then is kept.
 */
export async function embedPassages(
  store: LibraryStore,
  model: EmbeddingModel,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: () => void },
): Promise<void> {
  const name = modelName(model.ref);
  await removeOthers(store, name, signal);
  const pace = new WritePace(store);
  let after = 0;
  for (;;) {
    signal.throwIfAborted();
    const passages = store.unembeddedAfter(name, after, BATCH);
    if (passages.length === 0) break;
    const titles = titlesOf(store, passages);
    const vectors = await model.embed(
      passages.map(({ fileId, text }) => `${titles.get(fileId) ?? ''}\n\n${text.trim()}`),
      signal,
    );
    for (const [index, { id }] of passages.entries()) {
      const vector = vectors[index];
      if (vector === undefined) continue;
      await pace.add(() => store.putVector(id, name, bytesOf(vector)), CHARS_OF_VECTOR);
    }
    await pace.flush();
    after = passages.at(-1)?.id ?? after;
    onProgress();
  }
}

/** Embeddings that no model of today can be compared with. */
export async function removeOthers(
  store: LibraryStore,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const pace = new WritePace(store);
  for (;;) {
    signal.throwIfAborted();
    const removed = store.removeVectorsExcept(name, REMOVED_AT_ONCE);
    if (removed === 0) return;
    // Only to let others have their turn.
    await pace.add(() => undefined, Number.POSITIVE_INFINITY);
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
