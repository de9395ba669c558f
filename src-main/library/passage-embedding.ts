import type { ModelRef } from '#contract/entities.ts';
import type { EmbeddingModel } from '../models/embeddings/embedding-service.ts';
import type { IndexThread } from './index-thread.ts';

/** Passages in one request. */
const BATCH = 32;

/** The name under which embeddings of a model are stored. */
export function modelName({ provider, name }: ModelRef): string {
  return `${provider}:${name}`;
}

/**
 * Makes the missing embeddings, oldest passages first, and removes those of other models. Throws what
 * the model throws; the embeddings made before that are kept.
 */
export async function embedPassages(
  index: Pick<IndexThread, 'call'>,
  embedding: EmbeddingModel,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: () => void },
): Promise<void> {
  const model = modelName(embedding.ref);
  await index.call('removeOtherModels', { model }, { signal });
  let after = 0;
  for (;;) {
    const passages = await index.call(
      'passagesToEmbed',
      { model, after, limit: BATCH },
      { signal },
    );
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
