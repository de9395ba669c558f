import { AppError, type ErrorCode } from '#contract/errors.ts';
import { isGoingOnLater } from '../../../hitl/types.ts';
import type { SkillContext } from '../../types.ts';

/** Failures that do not stop a research. */
const EXPECTED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['SEARCH_FAILED', 'FETCH_FAILED', 'EGRESS_DENIED', 'TOOL_DENIED', 'TOOL_FAILED'] as const),
  ...(['NOT_FOUND', 'BAD_REQUEST', 'SKILL_MODEL_ANSWER'] as const),
]);

/** A result, or an expected failure. */
export type Attempt<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: AppError };

interface StoredAttempt<Value> {
  readonly value?: Value;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
}

/**
 * The outcome of `work`, done once per execution: an expected failure is stored as well, so that a resumed
 * run does not try again. Throws the others.
 */
export async function once<Value>(
  context: Pick<SkillContext, 'once'>,
  key: string,
  work: () => Promise<Value>,
): Promise<Attempt<Value>> {
  const stored = await context.once<StoredAttempt<Value>>(key, async () => {
    try {
      return { value: await work() };
    } catch (error) {
      if (!(error instanceof AppError) || !EXPECTED.has(error.code)) throw error;
      return { error: { code: error.code, message: error.message } };
    }
  });
  if (stored.error === undefined) return { ok: true, value: stored.value as Value };
  return { ok: false, error: new AppError(stored.error.code, stored.error.message) };
}

/** Waits for all of `work` to end before it returns the results or rethrows, so that nothing is left running. */
export async function settled<Value>(work: readonly Promise<Value>[]): Promise<Value[]> {
  const ends = await Promise.allSettled(work);
  const failed = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  // A run that pauses to go on later takes precedence over other failures.
  if (failed.length > 0) throw failed.find(isGoingOnLater) ?? failed[0];
  return ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
}
