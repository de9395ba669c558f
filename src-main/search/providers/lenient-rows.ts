import type { z } from 'zod';

/** Nobody is asked for as many; each costs time. */
const MOST_ROWS = 200;

/** The entries of a list that `schema` reads; one that is odd does not spoil the rest. */
export function lenientRows<Schema extends z.ZodType>(
  schema: Schema,
  rows: readonly unknown[] | null | undefined,
): z.infer<Schema>[] {
  return (rows ?? []).slice(0, MOST_ROWS).flatMap((row) => {
    const parsed = schema.safeParse(row);
    return parsed.success ? [parsed.data] : [];
  });
}
