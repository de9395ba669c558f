import { z } from 'zod';
import { SEARCH_PROVIDER_LABELS } from '#contract/search.ts';
import { targetOfUrl } from '../../egress/target.ts';
import { askProvider, problem, readJson, requireSuccess } from '../ask-provider.ts';
import { foundResults } from '../found-result.ts';
import type { SearchProvider } from '../types.ts';
import { lenientRows } from './lenient-rows.ts';

const LABEL = SEARCH_PROVIDER_LABELS.searxng;
const JSON_OFF = `${LABEL} does not give answers as JSON: add "json" to search.formats in the settings.yml of that server, and start it again.`;

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

/** A SearXNG server, of the person's own or another; `address` is empty for none. */
export function searxngProvider(address: () => string): SearchProvider {
  const base = (): URL | null => URL.parse(address().replace(/\/*$/, '/'));
  return {
    name: 'searxng',
    namedBy: 'address',
    missing: `${LABEL} has no address: enter that of a server in the settings, under Search.`,
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
      // 403 is its answer to a format that is not switched on; some send their page instead.
      if (status === 403 || (status === 200 && /^\s*</.test(text))) throw problem(JSON_OFF);
      requireSuccess(LABEL, status);
      const { results, unresponsive_engines: silent } = readJson(LABEL, text, Answer);
      const pages = lenientRows(Row, results).map((row) => ({
        url: row.url,
        title: row.title,
        snippet: row.content,
        date: row.publishedDate,
      }));
      if (pages.length === 0 && (silent ?? []).length > 0) {
        throw problem(`None of the engines of ${LABEL} answered: look at its list of engines.`);
      }
      return foundResults('searxng', pages, limit);
    },
  };
}
