import type { ModelRef } from '#contract/entities.ts';
import { timeLimit } from '../base/running-time.ts';
import type { EmbeddingModel, EmbeddingService } from '../models/embeddings/embedding-service.ts';
import { modelName } from './passage-embedding.ts';

/** A search waits this long for the model; then it finds by words. */
const PATIENCE_MS = 10_000;
/** After a failure the model is left alone for a while: each search would wait for it again. */
const PAUSE_MS = 30_000;

export interface Meaning {
  readonly model: string;
  readonly vector: Float32Array;
}

/** Says where queries lie, by a connection that is kept between searches. */
export class QueryMeaning implements AsyncDisposable {
  readonly #service: EmbeddingService;
  readonly #onProblem: (error: unknown) => void;
  #open: { readonly name: string; readonly model: Promise<EmbeddingModel> } | null = null;
  #pauseUntil = 0;

  constructor(service: EmbeddingService, onProblem: (error: unknown) => void) {
    this.#service = service;
    this.#onProblem = onProblem;
  }

  /** Null where the model cannot say it now; who searches does without. Rejects only when aborted. */
  async of(query: string, ref: ModelRef, signal: AbortSignal): Promise<Meaning | null> {
    if (performance.now() < this.#pauseUntil) return null;
    const patience = AbortSignal.any([signal, timeLimit(PATIENCE_MS)]);
    try {
      const model = await this.#model(ref, patience);
      const [vector] = await model.embed([query], patience);
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
    // One that never opened has nothing to close.
    const model = await open?.model.catch(() => null);
    await model?.[Symbol.asyncDispose]();
  }
}
