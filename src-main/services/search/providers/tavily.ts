import { z } from 'zod';
import { readJson } from '../ask-provider.ts';
import type { SearchProvider } from '../types.ts';
import { jsonRequest, type KeyedParts, keyedProvider } from './keyed-provider.ts';
import { lenientRows } from './lenient-rows.ts';

const MAX_RESULTS = 20;

const Answer = z.object({ results: z.array(z.unknown()) });
const Row = z.object({
  url: z.string(),
  title: z.string().nullish(),
  content: z.string().nullish(),
  published_date: z.string().nullish(),
});

/** Tavily, made for agents: api.tavily.com. */
export function tavilyProvider({
  key,
  baseUrl = 'https://api.tavily.com',
}: KeyedParts): SearchProvider {
  const url = new URL('/search', baseUrl);
  return keyedProvider({
    name: 'tavily',
    key,
    url,
    request: (query, limit, token) =>
      jsonRequest(
        url,
        { authorization: `Bearer ${token}` },
        { query, max_results: Math.min(limit, MAX_RESULTS), search_depth: 'basic' },
      ),
    read: (text, label) =>
      lenientRows(Row, readJson(label, text, Answer).results).map((row) => ({
        url: row.url,
        title: row.title,
        snippet: row.content,
        date: row.published_date,
      })),
  });
}
