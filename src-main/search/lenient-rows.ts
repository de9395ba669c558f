import type { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';

/** More than any request asks for; each row costs time. */
const MAX_ROWS = 200;

/** The rows that `schema` accepts; an invalid row does not discard the others. */
export function lenientRows<Schema extends z.ZodType>(
  schema: Schema,
  rows: readonly unknown[] | null | undefined,
): z.infer<Schema>[] {
  return (rows ?? []).slice(0, MAX_ROWS).flatMap((row) => {
    const parsed = safeParse(schema, row);
    return parsed.success ? [parsed.data] : [];
  });
}
