import type { ModelRef } from '#contract/entities.ts';
import type { EmbeddingModel } from '../models/embeddings/embedding-service.ts';
import type { IndexThread } from './index-thread.ts';

/** Passages in one request. */
const BATCH = 32;

/** How a model is named beside its embeddings. */
export function modelName({ provider, name }: ModelRef): string {
  return `${provider}:${name}`;
}

/**
 * Makes the embeddings that are missing, oldest passages first, and removes those of other models. Throws
 * what the model throws; what was made until then is kept.
 */
export async function embedPassages(
  index: Pick<IndexThread, 'call'>,
  embedding: EmbeddingModel,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: () => void },
): Promise<void> {
  const model = modelName(embedding.ref);
  await index.call('removeOthers', { model }, { signal });
  let after = 0;
  for (;;) {
    const passages = await index.call('unembedded', { model, after, limit: BATCH }, { signal });
    if (passages.length === 0) return;
    const made = await embedding.embed(
      passages.map(({ text }) => text),
      signal,
    );
    const vectors = passages.flatMap(({ id }, place) => {
      const vector = made[place];
      return vector === undefined ? [] : [{ id, vector }];
    });
    await index.call('putVectors', { model, vectors }, { signal });
    after = passages.at(-1)?.id ?? after;
    onProgress();
  }
}
