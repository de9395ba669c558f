import type { z } from 'zod';
import { AppError } from '#contract/errors.ts';

export interface ReadOptions {
  /** No code is compiled for the schema: that pays off over hundreds of rows, and a start reads one. */
  readonly isOne?: boolean;
}

/** A JSON column through its schema. `where` names the row in the error. */
export function parseStored<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  where: string,
  { isOne = false }: ReadOptions = {},
): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(text), { jitless: isOne });
  } catch (cause) {
    throw new AppError(
      'STORAGE_FAILED',
      `What is stored as ${where} cannot be read. The log in the data folder has more.`,
      { details: { where }, cause },
    );
  }
}
