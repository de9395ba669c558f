import { AppError, type ErrorCode } from '#contract/errors.ts';

/** These end the run, because no further call could run; the model cannot do anything about them. */
const FATAL_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'SANDBOX_UNAVAILABLE',
  'SANDBOX_NOT_PROVEN',
  'SANDBOX_BUILD_FAILED',
  'DISK_FULL',
  'STORAGE_FAILED',
  'OUTCOME_UNKNOWN',
]);

/** Errors that end the run, and LangGraph's control flow, which is marked `is_bubble_up`. */
export function passesThrough(error: unknown): boolean {
  if (error instanceof AppError) return FATAL_CODES.has(error.code);
  return error instanceof Error && 'is_bubble_up' in error;
}
