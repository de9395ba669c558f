import { AppError } from '#contract/errors.ts';

/** `why` is a sentence for the user. */
export function unreadableScan(why: string, cause?: unknown): AppError {
  return new AppError('LIBRARY_UNREADABLE', why, cause === undefined ? {} : { cause });
}

export function tooLargeScan(why: string): AppError {
  return new AppError('FILE_TOO_LARGE', why);
}
