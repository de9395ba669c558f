import type { ModelRef } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { type ModelProfile, unknownProfile } from '#contract/models.ts';
import type { Clock } from '../../base/clock.ts';
import type { ProfileStore } from '../../storage/types.ts';
import type { ToolMeansMemory } from '../tool-means/surviving-calls.ts';
import type { ChatModel, ModelFacts, ModelReply } from '../types.ts';

/** Fewer tokens say little of a model's speed. */
const ENOUGH_TOKENS = 20;
/** A load that is not shorter than this was a cold one. */
const COLD_LOAD_MS = 500;

export type Learnt = Partial<Omit<ModelProfile, 'model' | 'updatedAt'>>;

/** Keeps what is learnt of models. Writes only what changed, and never before an answer has come. */
export class ProfileRegistry {
  readonly #store: ProfileStore;
  readonly #clock: Clock;

  constructor(store: ProfileStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  get(model: ModelRef): ModelProfile {
    return this.#store.get(model) ?? unknownProfile(model, 0);
  }

  list(): ModelProfile[] {
    return this.#store.list();
  }

  learn(model: ModelRef, learnt: Learnt): ModelProfile {
    const known = this.get(model);
    const next = { ...known, ...learnt };
    const isNews = JSON.stringify(next) !== JSON.stringify(known);
    if (!isNews && known.updatedAt !== 0) return known;
    const profile = { ...next, updatedAt: this.#clock.now() };
    this.#store.put(profile);
    return profile;
  }

  /**
   * What a server says of a model it is about to use. Where the model's file is another than the one
   * that things were learnt of, those are forgotten.
   */
  meet(model: ModelRef, facts: ModelFacts): ModelProfile {
    const known = this.get(model);
    const digest = facts.digest ?? null;
    const isOther = known.digest !== null && digest !== null && known.digest !== digest;
    return this.learn(model, {
      ...(isOther ? forgotten(model) : {}),
      ...{ cloud: facts.cloud, digest: digest ?? known.digest },
      trainedContext: facts.trainedContext ?? known.trainedContext,
      tools: facts.tools ?? known.tools,
      thinking: facts.thinking ?? known.thinking,
      vision: facts.vision ?? known.vision,
    });
  }
}

function forgotten(model: ModelRef): Learnt {
  const { model: _model, updatedAt: _at, ...nothing } = unknownProfile(model, 0);
  return nothing;
}

/** How a model gets its calls across, as its profile has it. */
export function toolMeansOf(profileRegistry: ProfileRegistry, model: ModelRef): ToolMeansMemory {
  const known = profileRegistry.get(model);
  let { toolMeans, jsonSchema } = known;
  return {
    get: () => toolMeans,
    put: (means) => {
      if (means === toolMeans) return;
      toolMeans = means;
      profileRegistry.learn(model, { toolMeans });
    },
    canConstrain: () => jsonSchema !== false,
    cannotConstrain: () => {
      jsonSchema = false;
      profileRegistry.learn(model, { jsonSchema });
    },
  };
}

/** `model`, from whose answers its profile learns; what was learnt is written when it is let go of. */
export function learningFrom(model: ChatModel, profileRegistry: ProfileRegistry): ChatModel {
  let learnt: Learnt = {};
  return {
    ref: model.ref,
    profile: model.profile,
    get contextWindow() {
      return model.contextWindow;
    },
    send: async (request, options) => {
      const reply = await model.send(request, options);
      learnt = { ...learnt, ...lessonsOf(reply) };
      return reply;
    },
    [Symbol.asyncDispose]: async () => {
      const loadedContext = model.contextWindow;
      await model[Symbol.asyncDispose]();
      if (Object.keys(learnt).length === 0) return;
      unlessTheDiskRefuses(() => {
        profileRegistry.meet(model.ref, model.profile);
        const loaded = loadedContext === null ? {} : { loadedContext };
        profileRegistry.learn(model.ref, { ...learnt, ...loaded });
      });
    },
  };
}

/** For what is learnt again: a run must not fail over it, and the run's own rows tell of the disk. */
export function unlessTheDiskRefuses(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

function lessonsOf({ usage, reasoningKey }: ModelReply): Learnt {
  const { completionTokens = 0, firstTokenMs, durationMs, loadMs = 0 } = usage;
  const writingMs = firstTokenMs === undefined ? 0 : durationMs - firstTokenMs;
  const rate =
    completionTokens >= ENOUGH_TOKENS && writingMs > 0 ? completionTokens / writingMs : 0;
  return {
    ...(rate > 0 ? { tokensPerSecond: Math.round(rate * 10_000) / 10 } : {}),
    ...(loadMs >= COLD_LOAD_MS ? { coldLoadMs: Math.round(loadMs) } : {}),
    ...(reasoningKey === undefined ? {} : { thinkingKey: reasoningKey, thinking: true }),
  };
}
