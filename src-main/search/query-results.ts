import { z } from 'zod';
import { readJson } from './ask-provider.ts';
import { jsonRequest, type KeyedService, keyedProvider } from './keyed-provider.ts';
import { lenientRows } from './lenient-rows.ts';
import type { SearchProvider } from './types.ts';

const Answer = z.object({ results: z.array(z.unknown()).nullable() });
const Row = z.object({
  url: z.string(),
  title: z.string().nullish(),
  content: z.string().nullish(),
  published_date: z.string().nullish(),
});

interface QueryService extends Pick<KeyedService, 'name' | 'key' | 'url'> {
  /** Most results that the service gives per request. */
  readonly maxResults: number;
  /** Additional fields of the request. */
  readonly options?: Readonly<Record<string, string>>;
}

/** Services that take `query` and `max_results` with a bearer key, and return `results` with `content`. */
export function queryResultsProvider({
  maxResults,
  options = {},
  ...service
}: QueryService): SearchProvider {
  return keyedProvider({
    ...service,
    request: (query, limit, token) =>
      jsonRequest(
        service.url,
        { authorization: `Bearer ${token}` },
        { query, max_results: Math.min(limit, maxResults), ...options },
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
