import { AppError } from '#contract/errors.ts';

/** Characters of a server's own words in an error. */
const SAID_CHARS = 300;

/** Nothing that can make pictures answers. `why` ends with what to do. */
export function unavailable(why: string, cause?: unknown): AppError {
  return new AppError('IMAGE_UNAVAILABLE', why, cause === undefined ? {} : { cause });
}

/** The server failed at an order, or answered with something else. */
export function failed(why: string, cause?: unknown): AppError {
  return new AppError('IMAGE_FAILED', why, cause === undefined ? {} : { cause });
}

/** What a server said, shortened and on one line. Untrusted. */
export function said(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SAID_CHARS ? `${line.slice(0, SAID_CHARS)}…` : line;
}
