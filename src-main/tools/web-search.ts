import { z } from 'zod';
import {
  SEARCH_PROVIDER_LABELS,
  SEARCH_QUERY_CHARS,
  SEARCH_RESULTS_LIMIT,
} from '#contract/search.ts';
import type { RunEgress } from '../egress/app-egress.ts';
import { clientOfRun } from '../search/search-egress.ts';
import type { SearchAnswer, SearchContact, SearchService } from '../search/types.ts';
import { defineTool } from './define-tool.ts';
import type { ToolDefinition } from './types.ts';

const DEFAULT_RESULTS = 8;
/** Of each snippet, for the model; scripts get all of it. */
const SNIPPET_CHARS = 400;

/**
 * Looks for sources. What the person set up for it is no risk; a search that nobody named is one under a
 * list of hosts, because a query can carry out what the model knows.
 */
export function webSearchTool(search: SearchService): ToolDefinition {
  return defineTool({
    name: 'web_search',
    category: 'search',
    description:
      "Search the web and the person's library for sources; then read the best with fetch_page.",
    input: z.strictObject({
      query: z.string().min(1).max(SEARCH_QUERY_CHARS),
      limit: z.int().min(1).max(SEARCH_RESULTS_LIMIT).optional(),
    }),
    risk: 'low',
    riskIn: (_input, { egress }) => (isForUser(search, egress) ? 'high' : 'low'),
    effect: 'read',
    notice: () => {
      const first = firstOfWeb(search, false);
      const [target] = first?.hosts ?? [];
      return first === null || target === undefined
        ? 'It looks in your library, and sends nothing.'
        : `It sends the words of this search to ${SEARCH_PROVIDER_LABELS[first.name]} (${target.host}). What comes back is read as data.`;
    },
    subjects: () => ({ hosts: (firstOfWeb(search, false)?.hosts ?? []).map(({ host }) => host) }),
    run: async ({ query, limit }, { egress, signal }) => {
      const answer = await search.search(query, {
        limit: limit ?? DEFAULT_RESULTS,
        offline: egress.policy === 'offline',
        // Who got here with a provider that nobody named has a yes to just that.
        egressClient: clientOfRun(egress, { approved: isForUser(search, egress) }),
        signal,
      });
      egress.noteFound(answer.results.map(({ url }) => url));
      return { content: describe(query, answer), data: answer.results, untrusted: 'web search' };
    },
  });
}

/** Whether the person has to say yes: the first who would be asked is on no list and was not set up. */
function isForUser(search: SearchService, egress: RunEgress): boolean {
  const first = firstOfWeb(search, egress.policy === 'offline');
  if (first === null || first.namedBy !== 'nothing') return false;
  return !first.hosts.every((target) => egress.allows(target));
}

function firstOfWeb(search: SearchService, offline: boolean): SearchContact | null {
  return search.contacts(offline).find(({ name }) => name !== 'library') ?? null;
}

function describe(query: string, { results, problems }: SearchAnswer): string {
  const found = results.map(({ title, url, publishedAt, snippet }, index) => {
    const date = publishedAt === null ? '' : ` (${publishedAt})`;
    const text = snippet.length > SNIPPET_CHARS ? `${snippet.slice(0, SNIPPET_CHARS)}…` : snippet;
    return `${index + 1}. ${title}${date}\n   ${url}${text === '' ? '' : `\n   ${text}`}`;
  });
  return [
    ...(found.length === 0 ? [`Nothing was found for: ${query}`] : found),
    ...problems.map((problem) => `Note: ${problem}`),
  ].join('\n');
}
