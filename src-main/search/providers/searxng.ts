import { z } from 'zod';
import { SEARCH_PROVIDERS } from '#contract/search.ts';
import { targetOfUrl } from '../../egress/target.ts';
import { askProvider, readJson, requireSuccess, searchFailed } from '../ask-provider.ts';
import { foundResults } from '../found-result.ts';
import { lenientRows } from '../lenient-rows.ts';
import type { ProviderParts, SearchProvider } from '../types.ts';

const LABEL = SEARCH_PROVIDERS.searxng.label;
const JSON_OFF = `${LABEL} has JSON output turned off. Add "json" to search.formats in the settings.yml of that server, then restart it.`;

const Answer = z.object({
  results: z.array(z.unknown()),
  unresponsive_engines: z.array(z.unknown()).nullish(),
});
const Row = z.object({
  url: z.string(),
  title: z.string().nullish(),
  content: z.string().nullish(),
  publishedDate: z.string().nullish(),
});

/** A SearXNG server, the user's own or a public one. */
export function provider({ searxngUrl }: Pick<ProviderParts, 'searxngUrl'>): SearchProvider {
  const base = (): URL | null => URL.parse(searxngUrl().replace(/\/*$/, '/'));
  return {
    name: 'searxng',
    namedBy: 'address',
    missing: `${LABEL} has no address. Enter the address of a server in the settings, under Search.`,
    hosts: () => {
      const url = base();
      return url === null ? null : [targetOfUrl(url)];
    },
    search: async (query, { limit, egressClient, signal }) => {
      const url = new URL('search', base() ?? undefined);
      url.searchParams.set('q', query);
      url.searchParams.set('format', 'json');
      const headers = { accept: 'application/json' };
      const { status, text } = await askProvider({
        label: LABEL,
        url,
        headers,
        egressClient,
        signal,
      });
      // With JSON turned off, SearXNG answers 403; some servers send their HTML page instead.
      if (status === 403 || (status === 200 && /^\s*</.test(text))) throw searchFailed(JSON_OFF);
      requireSuccess(LABEL, status);
      const { results, unresponsive_engines: unresponsive } = readJson(LABEL, text, Answer);
      const pages = lenientRows(Row, results).map((row) => ({
        url: row.url,
        title: row.title,
        snippet: row.content,
        date: row.publishedDate,
      }));
      if (pages.length === 0 && (unresponsive ?? []).length > 0) {
        throw searchFailed(
          `None of the engines of ${LABEL} answered. Check the list of engines on that server.`,
        );
      }
      return foundResults('searxng', pages, limit);
    },
  };
}
