import { z } from 'zod';
import { ModelRef, ModelServer } from './entities.ts';
import { ModelProfile, ModelPull, TierRecommendation } from './models.ts';

const nothing = z.strictObject({});

/** Requests about models and their servers; a part of `REQUESTS`. */
export const MODEL_REQUESTS = {
  'models.list': {
    effect: 'read',
    input: nothing,
    output: z.strictObject({ servers: z.array(ModelServer) }),
  },
  /** The profile of a model; its server is asked for what is not known yet. */
  'models.profile': {
    effect: 'read',
    input: z.strictObject({ model: ModelRef }),
    output: z.strictObject({ profile: ModelProfile }),
  },
  /**
   * Whether the model of the next run sees pictures; null where that is not known. `other` is one that does, where
   * this one does not. Without `model`, that of the settings.
   */
  'models.sight': {
    effect: 'read',
    input: z.strictObject({ model: ModelRef.exactOptional() }),
    output: z.strictObject({
      model: ModelRef,
      vision: z.boolean().nullable(),
      other: ModelRef.nullable(),
    }),
  },
  /**
   * Tests the model with a dozen small tasks, which takes minutes; each result arrives as a `model_check`
   * push. One check at a time. Refused if the model needs the user's consent first.
   */
  'models.check': {
    effect: 'once',
    input: z.strictObject({ model: ModelRef }),
    output: z.strictObject({ profile: ModelProfile }),
  },
  'models.cancelCheck': { effect: 'read', input: nothing, output: nothing },
  /** The best installed model for each tier. */
  'models.recommend': {
    effect: 'read',
    input: nothing,
    output: z.strictObject({ recommendations: z.array(TierRecommendation) }),
  },
  /** Starts or continues to pull a model; progress arrives as `model_pull`. */
  'models.pull': {
    effect: 'once',
    input: z.strictObject({ model: ModelRef }),
    output: z.strictObject({ pull: ModelPull }),
  },
  'models.cancelPull': {
    effect: 'read',
    input: z.strictObject({ model: ModelRef }),
    output: nothing,
  },
  /** Pulls of this session, newest first. */
  'models.pulls': {
    effect: 'read',
    input: nothing,
    output: z.strictObject({ pulls: z.array(ModelPull) }),
  },
} as const;
