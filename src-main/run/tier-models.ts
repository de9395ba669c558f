import type { ModelRef } from '#contract/entities.ts';
import type { ModelTier } from '#contract/vocabulary.ts';
import type { ChatModel, ModelService } from '../models/types.ts';

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

  constructor(parts: TierModelParts) {
    this.#parts = parts;
  }

  /** Throws what `ModelService.open` throws; the next call tries again. */
  get(tier: ModelTier): Promise<ChatModel> {
    const { models, task } = this.#parts;
    const ref = models.ofTier(tier, task);
    const key = JSON.stringify([ref.provider, ref.name]);
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const opening = this.#openModel(ref);
    this.#open.set(key, opening);
    opening.catch(() => this.#open.delete(key));
    return opening;
  }

  async #openModel(ref: ModelRef): Promise<ChatModel> {
    const { models, task, overrides, signal, guard } = this.#parts;
    // An address given for this run belongs to its own model.
    const isTask = ref.provider === task.provider && ref.name === task.name;
    return guard(await models.open(ref, { ...(isTask ? overrides : {}), signal }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await Promise.allSettled(this.#open.values());
    for (const model of opened) {
      if (model.status === 'fulfilled') await model.value[Symbol.asyncDispose]();
    }
  }
}
