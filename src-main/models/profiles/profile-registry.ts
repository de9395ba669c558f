import type { ModelRef } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { type ModelProfile, unknownProfile } from '#contract/models.ts';
import type { Clock } from '../../base/clock.ts';
import type { ProfileStore } from '../../storage/types.ts';
import type { FixMemory } from '../parameter-fixes.ts';
import type { ToolMeansMemory } from '../tool-means/tool-call-fallbacks.ts';
import type { ChatModel, ModelFacts, ModelReply } from '../types.ts';

/** Fewer tokens say little about a model's speed. */
const ENOUGH_TOKENS = 20;
/** A load that takes at least this long was a cold one. */
const COLD_LOAD_MS = 500;

export type Learnt = Partial<Omit<ModelProfile, 'model' | 'updatedAt'>>;

/** Stores what the app learns about models. Writes only changes, and only after an answer has arrived. */
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
    const hasChanged = JSON.stringify(next) !== JSON.stringify(known);
    if (!hasChanged && known.updatedAt !== 0) return known;
    const profile = { ...next, updatedAt: this.#clock.now() };
    this.#store.put(profile);
    return profile;
  }

  /**
   * Records what the server reports about a model before it is used. If the model's file has changed,
   * everything learnt about the old file is discarded.
   */
  recordFacts(model: ModelRef, facts: ModelFacts): ModelProfile {
    const known = this.get(model);
    const digest = facts.digest ?? null;
    const isOther = known.digest !== null && digest !== null && known.digest !== digest;
    return this.learn(model, {
      ...(isOther ? blankProfile(model) : {}),
      ...{ cloud: facts.cloud, digest: digest ?? known.digest },
      trainedContext: facts.trainedContext ?? known.trainedContext,
      tools: facts.tools ?? known.tools,
      thinking: facts.thinking ?? known.thinking,
      vision: facts.vision ?? known.vision,
    });
  }
}

function blankProfile(model: ModelRef): Learnt {
  const { model: _model, updatedAt: _at, ...blank } = unknownProfile(model, 0);
  return blank;
}

/** How a model makes its tool calls, backed by its profile. */
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

/** What a model's server wants in place of parameters that it refused, backed by its profile. */
export function fixesOf(profileRegistry: ProfileRegistry | undefined, model: ModelRef): FixMemory {
  let fixes = profileRegistry?.get(model).parameters ?? {};
  return {
    all: () => fixes,
    put: (parameters) => {
      fixes = { ...parameters };
      ignoreStorageErrors(() => void profileRegistry?.learn(model, { parameters: fixes }));
    },
  };
}

/** Wraps `model` so that its profile learns from its answers; written when the model is disposed. */
export function learningFrom(model: ChatModel, profileRegistry: ProfileRegistry): ChatModel {
  let learnt: Learnt = {};
  // What the server does not say, a check of the model may have found out.
  const vision = model.profile.vision ?? profileRegistry.get(model.ref).vision;
  return {
    ref: model.ref,
    profile: vision === model.profile.vision ? model.profile : { ...model.profile, vision },
    get contextWindow() {
      return model.contextWindow;
    },
    send: async (request, options) => {
      const reply = await model.send(request, options);
      learnt = { ...learnt, ...learntFrom(reply) };
      return reply;
    },
    [Symbol.asyncDispose]: async () => {
      const loadedContext = model.contextWindow;
      await model[Symbol.asyncDispose]();
      if (Object.keys(learnt).length === 0) return;
      ignoreStorageErrors(() => {
        profileRegistry.recordFacts(model.ref, model.profile);
        const loaded = loadedContext === null ? {} : { loadedContext };
        profileRegistry.learn(model.ref, { ...learnt, ...loaded });
      });
    },
  };
}

/** For data that will be learnt again: it must not fail a run, and writing the run reports a full disk. */
export function ignoreStorageErrors(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

function learntFrom({ usage, reasoningKey }: ModelReply): Learnt {
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
