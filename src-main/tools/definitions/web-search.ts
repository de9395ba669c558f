import { z } from 'zod';
import { SEARCH_PROVIDERS, SEARCH_QUERY_CHARS, SEARCH_RESULTS_LIMIT } from '#contract/search.ts';
import type { RunEgress } from '../../egress/app-egress.ts';
import { clientOfRun } from '../../search/search-egress.ts';
import type { SearchAnswer, SearchContact, SearchService } from '../../search/types.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import type { ToolDefinition } from '../types.ts';

const DEFAULT_RESULTS = 8;
/** Characters of each snippet for the model; scripts get all of it. */
const SNIPPET_CHARS = 400;

/**
 * Searches for sources. A provider that the user set up is no risk; under a host allowlist, a default provider
 * is, because a query can leak what the model knows.
 */
export function tool({ search }: Pick<ToolParts, 'search'>): ToolDefinition {
  return defineTool({
    name: 'web_search',
    description:
      "Search the web and the user's library for sources; then read the best with fetch_page. Cite a source by its number in brackets, as [2].",
    input: z.strictObject({
      query: z.string().min(1).max(SEARCH_QUERY_CHARS),
      limit: z.int().min(1).max(SEARCH_RESULTS_LIMIT).optional(),
    }),
    question: () => 'Search the web?',
    risk: 'low',
    inRun: (_input, { egress }) => ({ risk: isForUser(search, egress) ? 'high' : 'low' }),
    effect: 'read',
    notice: () => {
      const first = firstOfWeb(search, false);
      const [target] = first?.hosts ?? [];
      return first === null || target === undefined
        ? 'It searches your library, and sends nothing.'
        : `It sends the words of this search to ${SEARCH_PROVIDERS[first.name].label} (${target.host}). The answer is read as data.`;
    },
    subjects: () => ({ hosts: (firstOfWeb(search, false)?.hosts ?? []).map(({ host }) => host) }),
    run: async ({ query, limit }, { egress, signal, sources, toolCallId }) => {
      const answer = await search.search(query, {
        limit: limit ?? DEFAULT_RESULTS,
        offline: egress.policy === 'offline',
        // A call that got here with a default provider was approved for exactly that.
        egressClient: clientOfRun(egress, { approved: isForUser(search, egress) }),
        signal,
      });
      egress.noteFound(answer.results.map(({ url }) => url));
      const found = answer.results.map(({ url, title, snippet, provider: foundBy }) => ({
        ...{ url, title, snippet, foundBy },
      }));
      const added = sources?.add(found, toolCallId);
      const numbers = added?.numbers ?? found.map((_, index) => index + 1);
      return {
        content: describe(query, answer, numbers),
        ...{ data: answer.results, untrusted: 'web search', events: added?.events ?? [] },
      };
    },
  });
}

/** Whether the user must approve: the first provider is on no list and was not set up. */
function isForUser(search: SearchService, egress: RunEgress): boolean {
  const first = firstOfWeb(search, egress.policy === 'offline');
  if (first === null || first.namedBy !== 'nothing') return false;
  return !first.hosts.every((target) => egress.allows(target));
}

function firstOfWeb(search: SearchService, offline: boolean): SearchContact | null {
  return search.contacts(offline).find(({ name }) => name !== 'library') ?? null;
}

function describe(
  query: string,
  { results, problems }: SearchAnswer,
  numbers: readonly (number | null)[],
): string {
  const found = results.map(({ title, url, publishedAt, snippet }, index) => {
    const date = publishedAt === null ? '' : ` (${publishedAt})`;
    const text = snippet.length > SNIPPET_CHARS ? `${snippet.slice(0, SNIPPET_CHARS)}…` : snippet;
    const number = numbers[index] ?? null;
    const sign = number === null ? '-' : `${number}.`;
    return `${sign} ${title}${date}\n   ${url}${text === '' ? '' : `\n   ${text}`}`;
  });
  return [
    ...(found.length === 0 ? [`Nothing was found for: ${query}`] : found),
    ...problems.map((problem) => `Note: ${problem}`),
  ].join('\n');
}
