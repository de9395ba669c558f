import { z } from 'zod';

/** What the requests to one model cost. Counts are those of the server. */
export const ModelUse = z.strictObject({
  /** `provider:name`. */
  model: z.string(),
  requests: z.int().nonnegative(),
  promptTokens: z.int().nonnegative(),
  completionTokens: z.int().nonnegative(),
  /** Time in requests, in milliseconds; those that run at once count each. */
  durationMs: z.number().nonnegative(),
  /** Of the requests, those for which the server gave no counts, so that their tokens are estimated. */
  estimated: z.int().nonnegative(),
});
export type ModelUse = z.infer<typeof ModelUse>;

export const USE_REQUESTS = {
  /** Tokens and time by model, in one task or in all, the most used first. Deleted tasks do not count. */
  'usage.get': {
    effect: 'read',
    input: z.strictObject({ threadId: z.string().min(1).max(100).optional() }),
    output: z.strictObject({
      all: z.array(ModelUse),
      /** In the last 30 days, today included, by days of UTC. */
      recent: z.array(ModelUse),
    }),
  },
} as const;
