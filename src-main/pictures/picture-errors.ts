import { AppError } from '#contract/errors.ts';

/** The error for a file that cannot be shown to a model. `why` is a sentence for the user. */
export function unreadablePicture(why: string, cause?: unknown): AppError {
  return new AppError('PICTURE_UNREADABLE', why, cause === undefined ? {} : { cause });
}

/** The error for a picture beyond a limit, with what to do about it. */
export function tooLargePicture(why: string): AppError {
  return new AppError('PICTURE_TOO_LARGE', `${why} Make it smaller, or send a part of it.`);
}
