import type { z } from 'zod';
import { AppError } from '#contract/errors.ts';

/** A JSON column through its schema. `where` names the row in the error. */
export function parseStored<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  where: string,
): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError(
      'STORAGE_FAILED',
      `What is stored as ${where} cannot be read. The log in the data folder has more.`,
      { details: { where }, cause },
    );
  }
}
