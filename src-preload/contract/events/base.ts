import { z } from 'zod';

/** The fields of every event. `seq` is assigned in one place and counts from 1 without gaps within a run. */
export const eventBase = {
  runId: z.string().min(1),
  seq: z.int().positive(),
  /** Milliseconds since the epoch. */
  at: z.int().nonnegative(),
};

/** A member of the event union: `type` is the literal that consumers switch on. */
export function defineEvent<Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  shape: Shape,
) {
  return z.strictObject({ ...eventBase, type: z.literal(type), ...shape });
}
