import { z } from 'zod';

const NOT_COMPARABLE = /to primitive value/;

/**
 * `schema.safeParse`, also where that throws. The library's limits of length compare whatever has a `length`, also what is
 * no text or list, and JSON from outside can hold an object there that cannot be compared.
 */
export function safeParse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  context?: Parameters<Schema['safeParse']>[1],
): z.ZodSafeParseResult<z.output<Schema>> {
  try {
    return schema.safeParse(value, context) as z.ZodSafeParseResult<z.output<Schema>>;
  } catch (error) {
    // A TypeError of another kind is a fault of the app.
    if (!(error instanceof TypeError && NOT_COMPARABLE.test(error.message))) throw error;
    const message = 'It has a "length" that is no number';
    const found = new z.ZodError([{ code: 'custom', path: [], message, input: value }]);
    return { success: false, error: found as z.ZodError<z.output<Schema>> };
  }
}
