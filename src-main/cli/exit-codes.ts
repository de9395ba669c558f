import type { Run } from '#contract/entities.ts';
import { AppError, type ErrorCode } from '#contract/errors.ts';

/** Scripts branch on these; the README documents them. */
export const EXIT = {
  complete: 0,
  failed: 1,
  usage: 2,
  waiting: 3,
  unverified: 4,
  interrupted: 130,
} as const;

const MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  complete: 'complete',
  failed: 'failed',
  usage: 'usage error',
  waiting: 'waiting for your answer',
  unverified: 'answered but not verified',
  interrupted: 'cancelled with Ctrl+C',
};

/** All exit codes with what they mean, for the help text and the manual page. */
export function exitCodes(): { readonly code: number; readonly meaning: string }[] {
  const names = Object.keys(EXIT) as (keyof typeof EXIT)[];
  return names.map((name) => ({ code: EXIT[name], meaning: MEANINGS[name] }));
}

/** Failures that a different command line would avoid. */
const USAGE_CODES: ReadonlySet<ErrorCode> = new Set([
  'BAD_REQUEST',
  'NO_MODEL',
  'ATTACHMENT_TOO_LARGE',
  'ATTACHMENT_UNREADABLE',
  'SKILL_UNKNOWN',
  'SKILL_INPUT_INVALID',
  'SKILL_CODE_INVALID',
]);

/** A mistake on the command line. Its message is one line. */
export class UsageError extends AppError {
  constructor(message: string) {
    super('BAD_REQUEST', message);
    this.name = 'UsageError';
  }
}

export function exitCodeOfError(error: unknown): number {
  return error instanceof AppError && USAGE_CODES.has(error.code) ? EXIT.usage : EXIT.failed;
}

/** For a run that ended or was parked. A cancellation without a signal counts as a failure. */
export function exitCodeOfRun(status: Run['status']): number {
  switch (status) {
    case 'completed':
      return EXIT.complete;
    case 'unverified':
      return EXIT.unverified;
    case 'waiting':
    case 'paused':
      return EXIT.waiting;
    case 'queued':
    case 'running':
    case 'failed':
    case 'cancelled':
      return EXIT.failed;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
