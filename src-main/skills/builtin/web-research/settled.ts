import { AppError, type ErrorCode } from '#contract/errors.ts';
import { isGoingOnLater } from '../../../hitl/types.ts';
import type { SkillContext } from '../../types.ts';

/** Failures that a research goes on without. */
const EXPECTED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['SEARCH_FAILED', 'FETCH_FAILED', 'EGRESS_DENIED', 'TOOL_DENIED', 'TOOL_FAILED'] as const),
  ...(['NOT_FOUND', 'BAD_REQUEST', 'SKILL_MODEL_ANSWER'] as const),
]);

/** A result, or a failure that is no reason to stop. */
export type Attempt<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: AppError };

interface StoredAttempt<Value> {
  readonly value?: Value;
  readonly error?: { readonly code: ErrorCode; readonly message: string };
}

/**
 * What `work` came to, done once for the execution: an expected failure is remembered as well, so that
 * nothing is asked for again when the run goes on. Throws the others.
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

/** All of `work`, to its end, so that nothing is at work any more; then what came of it, or what went wrong. */
export async function settled<Value>(work: readonly Promise<Value>[]): Promise<Value[]> {
  const ends = await Promise.allSettled(work);
  const failed = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  // That the run goes on later is what matters most of what went wrong.
  if (failed.length > 0) throw failed.find(isGoingOnLater) ?? failed[0];
  return ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
}
