import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import { boundedSchema, schemaCheck } from './bounded-schema.ts';
import { plainMessage } from './server-errors.ts';

const MOST_PAGES = 50;
const MOST_ITEMS = 1_000;

const METHODS = {
  tools: 'tools/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
  prompts: 'prompts/list',
} as const;
type Listed = keyof typeof METHODS;
const NAMES: Readonly<Record<Listed, string>> = {
  ...{ tools: 'tools', resources: 'resources', prompts: 'prompts' },
  resourceTemplates: 'templates of resources',
};
/** JSON-RPC's code. */
const METHOD_NOT_FOUND = -32_601;

/** Resources, templates of resources, and prompts as a server lists them, not checked. */
export interface ListedOffers {
  readonly resources: readonly unknown[];
  readonly resourceTemplates: readonly unknown[];
  readonly prompts: readonly unknown[];
}

/** One page, whatever its items look like: one that is broken must not hide the others. */
const Page = z.looseObject({
  tools: z.array(z.unknown()).optional(),
  resources: z.array(z.unknown()).optional(),
  resourceTemplates: z.array(z.unknown()).optional(),
  prompts: z.array(z.unknown()).optional(),
  nextCursor: z.string().max(10_000).nullish(),
});

/** All pages, up to the limits. */
export async function listAll(
  client: Client,
  listed: Listed,
  signal: AbortSignal,
): Promise<unknown[]> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES && items.length < MOST_ITEMS; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: METHODS[listed], params }, Page, { signal });
    const found = answer[listed];
    if (found === undefined) throw new Error(`it answered without a list of ${NAMES[listed]}`);
    items.push(...found);
    cursor = answer.nextCursor ?? undefined;
    if (cursor === undefined || seen.has(cursor)) break;
    seen.add(cursor);
  }
  return items.slice(0, MOST_ITEMS);
}

/** The resources and prompts of a server. A list that cannot be read is empty, and `problems` says why. */
export async function listOffers(
  client: Client,
  signal: AbortSignal,
): Promise<ListedOffers & { readonly problems: readonly string[] }> {
  const problems: string[] = [];
  const list = async (listed: Exclude<Listed, 'tools'>): Promise<unknown[]> => {
    const capability = listed === 'prompts' ? 'prompts' : 'resources';
    if (client.getServerCapabilities()?.[capability] === undefined) return [];
    return await listAll(client, listed, signal).catch((error: unknown) => {
      // Templates have no capability of their own: many servers have none, and do not know the method.
      const isUnknown = (error as { code?: unknown } | null)?.code === METHOD_NOT_FOUND;
      if (listed === 'resourceTemplates' && isUnknown) return [];
      problems.push(`its ${NAMES[listed]} could not be read: ${plainMessage(error)}`);
      return [];
    });
  };
  const [resources, resourceTemplates, prompts] = await Promise.all([
    list('resources'),
    list('resourceTemplates'),
    list('prompts'),
  ]);
  return { resources, resourceTemplates, prompts, problems };
}

/** Output schemas come from servers too, so they are bounded like those of arguments. */
export function boundedValidator<T>(schema: unknown) {
  const bounded = boundedSchema(schema);
  const check = bounded === null ? null : schemaCheck(bounded);
  return (input: unknown) => {
    const checked = check === null ? undefined : safeParse(check, input);
    if (checked === undefined || checked.success) {
      return { valid: true as const, data: input as T, errorMessage: undefined };
    }
    const errorMessage = checked.error.issues[0]?.message ?? 'it does not fit its schema';
    return { valid: false as const, data: undefined, errorMessage };
  };
}
