import type { z } from 'zod';
import { AppError } from '#contract/errors.ts';

export interface ReadOptions {
  /** Do not compile the schema: that pays off over hundreds of rows, and a start reads one. */
  readonly isOne?: boolean;
}

/** Parses and validates a JSON column. `where` names the row in the error. */
export function parseStored<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  where: string,
  { isOne = false }: ReadOptions = {},
): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(text), { jitless: isOne });
  } catch (cause) {
    throw unreadable(where, cause);
  }
}

/** A stored value is not what any version of the app writes; `where` names it. */
export function unreadable(where: string, cause?: unknown): AppError {
  return new AppError(
    'STORAGE_FAILED',
    `The stored data cannot be read: ${where}. See the log in the data folder for details.`,
    { details: { where }, cause },
  );
}
