import type { ModelRef } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { ModelTier } from '#contract/vocabulary.ts';
import type { ChatModel, ModelService } from '../models/types.ts';

/** Providers whose models are loaded when they are opened. */
const LOADS_AT_ONCE: ReadonlySet<string> = new Set(['embedded', 'demo']);

export interface TierModelParts {
  readonly models: ModelService;
  readonly task: ModelRef;
  /** The address and key given to this process; they apply to the task's own model only. */
  readonly overrides?: { readonly baseUrl?: string; readonly apiKey?: string };
  readonly signal: AbortSignal;
  /** Wraps each model. */
  readonly guard: (model: ChatModel) => ChatModel;
}

/** The models of the tiers for one run, each opened once, on first use. */
export class TierModels implements AsyncDisposable {
  readonly #parts: TierModelParts;
  readonly #open = new Map<string, Promise<ChatModel>>();
  readonly #closed = new AbortController();

  constructor(parts: TierModelParts) {
    this.#parts = parts;
  }

  /** Throws what `ModelService.open` throws; the next call tries again. */
  get(tier: ModelTier): Promise<ChatModel> {
    const { models, task } = this.#parts;
    return this.open(models.ofTier(tier, task));
  }

  /** As `get`, for a model by its name. */
  open(ref: ModelRef): Promise<ChatModel> {
    const key = keyOf(ref);
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const opening = this.#openModel(ref);
    this.#open.set(key, opening);
    opening.catch(() => this.#open.delete(key));
    return opening;
  }

  /**
   * Opens the models of the tiers that are set apart from the task's own, without waiting, and reports each that
   * cannot be: a run learns at its start that a server is gone, and not in the middle. What loads a model into
   * memory is left for its first use.
   */
  check(report: (tier: ModelTier, ref: ModelRef, problem: AppError) => void): void {
    const { models, task, signal } = this.#parts;
    const seen = new Set([keyOf(task)]);
    for (const tier of ModelTier.options) {
      const ref = models.ofTier(tier, task);
      if (seen.has(keyOf(ref)) || LOADS_AT_ONCE.has(ref.provider)) continue;
      seen.add(keyOf(ref));
      this.get(tier).catch((error: unknown) => {
        const isOver = signal.aborted || this.#closed.signal.aborted;
        if (!isOver && error instanceof AppError) report(tier, ref, error);
      });
    }
  }

  async #openModel(ref: ModelRef): Promise<ChatModel> {
    const { models, task, overrides, signal, guard } = this.#parts;
    // An address given for this run belongs to its own model.
    const isTask = ref.provider === task.provider && ref.name === task.name;
    const until = AbortSignal.any([signal, this.#closed.signal]);
    return guard(await models.open(ref, { ...(isTask ? overrides : {}), signal: until }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort(new AppError('CANCELLED', 'The run is over.'));
    const opened = await Promise.allSettled(this.#open.values());
    for (const model of opened) {
      if (model.status === 'fulfilled') await model.value[Symbol.asyncDispose]();
    }
  }
}

function keyOf({ provider, name }: ModelRef): string {
  return JSON.stringify([provider, name]);
}
