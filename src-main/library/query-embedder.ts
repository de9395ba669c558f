import type { ModelRef } from '#contract/entities.ts';
import { timeLimit } from '../base/running-time.ts';
import type { EmbeddingModel, EmbeddingService } from '../models/embeddings/embedding-service.ts';
import { modelName } from './passage-embedding.ts';

/** A search waits this long for the model; then it continues with words alone. */
const TIMEOUT_MS = 10_000;
/** After a failure the model is not asked for a while, because each search would wait for it again. */
const PAUSE_MS = 30_000;

export interface QueryEmbedding {
  readonly model: string;
  readonly vector: Float32Array;
}

/** Embeds queries, over a connection that stays open between searches. */
export class QueryEmbedder implements AsyncDisposable {
  readonly #service: EmbeddingService;
  readonly #onProblem: (error: unknown) => void;
  #open: { readonly name: string; readonly model: Promise<EmbeddingModel> } | null = null;
  #pauseUntil = 0;

  constructor(service: EmbeddingService, onProblem: (error: unknown) => void) {
    this.#service = service;
    this.#onProblem = onProblem;
  }

  /** Null while the model is not available: search by words alone then. Rejects only when aborted. */
  async embed(query: string, ref: ModelRef, signal: AbortSignal): Promise<QueryEmbedding | null> {
    if (performance.now() < this.#pauseUntil) return null;
    const limited = AbortSignal.any([signal, timeLimit(TIMEOUT_MS)]);
    try {
      const model = await this.#model(ref, limited);
      const [vector] = await model.embed([query], limited);
      return vector === undefined ? null : { model: modelName(ref), vector };
    } catch (error) {
      signal.throwIfAborted();
      this.#pauseUntil = performance.now() + PAUSE_MS;
      this.#onProblem(error);
      await this.#close();
      return null;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  async #model(ref: ModelRef, signal: AbortSignal): Promise<EmbeddingModel> {
    const name = modelName(ref);
    if (this.#open?.name !== name) {
      await this.#close();
      this.#open = { name, model: this.#service.open(ref, signal) };
    }
    return await this.#open.model;
  }

  async #close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    // If opening failed, there is nothing to close.
    const model = await open?.model.catch(() => null);
    await model?.[Symbol.asyncDispose]();
  }
}
