import { z } from 'zod';

const NOT_COMPARABLE = /to primitive value/;

/**
 * `schema.safeParse` for values from outside. zod 4.6 checks the length of any value with a `length` property, even if
 * it is no string or array, and throws a TypeError when that property is an object that has no primitive value.
 */
export function safeParse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  context?: Parameters<Schema['safeParse']>[1],
): z.ZodSafeParseResult<z.output<Schema>> {
  try {
    return schema.safeParse(value, context) as z.ZodSafeParseResult<z.output<Schema>>;
  } catch (error) {
    // Any other error is a bug of the app.
    if (!(error instanceof TypeError && NOT_COMPARABLE.test(error.message))) throw error;
    const message = 'It has a "length" that is not a number';
    const found = new z.ZodError([{ code: 'custom', path: [], message, input: value }]);
    return { success: false, error: found as z.ZodError<z.output<Schema>> };
  }
}
