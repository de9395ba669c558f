import type { z } from 'zod';

/** The entries of a list that `schema` reads; one that is odd does not spoil the rest. */
export function lenientRows<Schema extends z.ZodType>(
  schema: Schema,
  rows: readonly unknown[] | null | undefined,
): z.infer<Schema>[] {
  return (rows ?? []).flatMap((row) => {
    const parsed = schema.safeParse(row);
    return parsed.success ? [parsed.data] : [];
  });
}
