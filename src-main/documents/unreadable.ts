import { AppError } from '#contract/errors.ts';

/** The error for a document without readable text. `why` is a sentence for the user. */
export function unreadable(why: string, cause?: unknown): AppError {
  return new AppError('LIBRARY_UNREADABLE', why, cause === undefined ? {} : { cause });
}
