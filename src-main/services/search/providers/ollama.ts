import { z } from 'zod';
import { readJson } from '../ask-provider.ts';
import type { SearchProvider } from '../types.ts';
import { jsonRequest, type KeyedParts, keyedProvider } from './keyed-provider.ts';
import { lenientRows } from './lenient-rows.ts';

const MAX_RESULTS = 10;

const Answer = z.object({ results: z.array(z.unknown()).nullable() });
const Row = z.object({
  url: z.string(),
  title: z.string().nullish(),
  content: z.string().nullish(),
});

/** The web search of ollama.com. It is a service of its own: a local Ollama has none. */
export function ollamaProvider({
  key,
  baseUrl = 'https://ollama.com',
}: KeyedParts): SearchProvider {
  const url = new URL('/api/web_search', baseUrl);
  return keyedProvider({
    name: 'ollama',
    key,
    url,
    request: (query, limit, token) =>
      jsonRequest(
        url,
        { authorization: `Bearer ${token}` },
        { query, max_results: Math.min(limit, MAX_RESULTS) },
      ),
    read: (text, label) =>
      lenientRows(Row, readJson(label, text, Answer).results).map((row) => ({
        url: row.url,
        title: row.title,
        snippet: row.content,
      })),
  });
}
