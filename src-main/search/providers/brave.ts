import { z } from 'zod';
import { readJson } from '../ask-provider.ts';
import { htmlToText } from '../found-result.ts';
import { keyedProvider } from '../keyed-provider.ts';
import { lenientRows } from '../lenient-rows.ts';
import type { ProviderParts, SearchProvider } from '../types.ts';

/** Brave's limits for a query and for results. */
const MAX_CHARS = 400;
const MAX_WORDS = 50;
const MAX_RESULTS = 20;

const Answer = z.object({ web: z.object({ results: z.array(z.unknown()).nullish() }).nullish() });
const Row = z.object({
  url: z.string(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  page_age: z.string().nullish(),
});

/** The web search of Brave: api.search.brave.com. */
export function provider({
  key,
  baseUrl = 'https://api.search.brave.com',
}: ProviderParts): SearchProvider {
  const url = new URL('/res/v1/web/search', baseUrl);
  return keyedProvider({
    name: 'brave',
    key,
    url,
    // Brave also answers 422 to an unknown key; it cannot be the query, which is within the limits.
    refusals: [401, 403, 422],
    request: (query, limit, token) => {
      const words = query.split(/\s+/).slice(0, MAX_WORDS).join(' ').slice(0, MAX_CHARS);
      const asked = new URL(url);
      asked.searchParams.set('q', words);
      asked.searchParams.set('count', String(Math.min(limit, MAX_RESULTS)));
      asked.searchParams.set('text_decorations', 'false');
      const headers = { accept: 'application/json', 'x-subscription-token': token };
      return { url: asked, headers };
    },
    read: async (text, label) => {
      const rows = lenientRows(Row, readJson(label, text, Answer).web?.results);
      return await Promise.all(
        rows.map(async ({ url: page, title, description, page_age }) => ({
          url: page,
          title: await htmlToText(title ?? ''),
          snippet: await htmlToText(description ?? ''),
          date: page_age,
        })),
      );
    },
  });
}
