import { z } from 'zod';
import { readJson } from '../ask-provider.ts';
import { jsonRequest, keyedProvider } from '../keyed-provider.ts';
import { lenientRows } from '../lenient-rows.ts';
import type { ProviderParts, SearchProvider } from '../types.ts';

const Answer = z.object({ organic: z.array(z.unknown()).nullish() });
const Row = z.object({
  link: z.string(),
  title: z.string().nullish(),
  snippet: z.string().nullish(),
  date: z.string().nullish(),
});

/** Google results through Serper: google.serper.dev. */
export function provider({
  key,
  baseUrl = 'https://google.serper.dev',
}: ProviderParts): SearchProvider {
  const url = new URL('/search', baseUrl);
  return keyedProvider({
    name: 'serper',
    key,
    url,
    request: (query, limit, token) =>
      jsonRequest(url, { 'x-api-key': token }, { q: query, num: limit }),
    read: (text, label) =>
      lenientRows(Row, readJson(label, text, Answer).organic).map((row) => ({
        url: row.link,
        title: row.title,
        snippet: row.snippet,
        date: row.date,
      })),
  });
}
