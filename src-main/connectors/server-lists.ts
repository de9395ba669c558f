import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { boundedSchema, schemaCheck } from './bounded-schema.ts';

const MOST_PAGES = 50;
const MOST_TOOLS = 1_000;

/** One page, whatever its tools look like: one that is broken must not hide the others. */
const Page = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().max(10_000).nullish(),
});

/** All pages, up to the limits. */
export async function listTools(client: Client, signal: AbortSignal): Promise<unknown[]> {
  const tools: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES && tools.length < MOST_TOOLS; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, Page, { signal });
    tools.push(...answer.tools);
    cursor = answer.nextCursor ?? undefined;
    if (cursor === undefined || seen.has(cursor)) break;
    seen.add(cursor);
  }
  return tools.slice(0, MOST_TOOLS);
}

/** Output schemas come from servers too, so they are bounded like those of arguments. */
export function boundedValidator<T>(schema: unknown) {
  const bounded = boundedSchema(schema);
  const check = bounded === null ? null : schemaCheck(bounded);
  return (input: unknown) => {
    const checked = check?.safeParse(input);
    if (checked === undefined || checked.success) {
      return { valid: true as const, data: input as T, errorMessage: undefined };
    }
    const errorMessage = checked.error.issues[0]?.message ?? 'it does not fit its schema';
    return { valid: false as const, data: undefined, errorMessage };
  };
}
