import { z } from 'zod';
import { ModelRef, ModelServer } from './entities.ts';
import { ModelProfile, ModelPull, TierRecommendation } from './models.ts';

const empty = z.strictObject({});
const nothing = z.strictObject({});

/** Requests about models and their servers; a part of `REQUESTS`. */
export const MODEL_REQUESTS = {
  'models.list': { input: empty, output: z.strictObject({ servers: z.array(ModelServer) }) },
  /** What is known of a model; its server is asked what was never asked before. */
  'models.profile': {
    input: z.strictObject({ model: ModelRef }),
    output: z.strictObject({ profile: ModelProfile }),
  },
  /**
   * Sets the model a dozen small tasks, which takes minutes; each that is done arrives as a
   * `model_check` push. One at a time. Refused while the model needs consent that it does not have.
   */
  'models.check': {
    input: z.strictObject({ model: ModelRef }),
    output: z.strictObject({ profile: ModelProfile }),
  },
  'models.cancelCheck': { input: empty, output: nothing },
  /** The best installed model for each tier. */
  'models.recommend': {
    input: empty,
    output: z.strictObject({ recommendations: z.array(TierRecommendation) }),
  },
  /** Starts to pull a model, or goes on where a pull was stopped; progress arrives as `model_pull`. */
  'models.pull': {
    input: z.strictObject({ model: ModelRef }),
    output: z.strictObject({ pull: ModelPull }),
  },
  'models.cancelPull': { input: z.strictObject({ model: ModelRef }), output: nothing },
  /** Pulls of this session, newest first. */
  'models.pulls': { input: empty, output: z.strictObject({ pulls: z.array(ModelPull) }) },
} as const;
