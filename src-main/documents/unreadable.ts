import { AppError } from '#contract/errors.ts';

/** A document that gives no text. `why` is a sentence for the person. */
export function unreadable(why: string, cause?: unknown): AppError {
  return new AppError('LIBRARY_UNREADABLE', why, cause === undefined ? {} : { cause });
}
