import type { SearchProvider } from '../types.ts';
import type { KeyedParts } from './keyed-provider.ts';
import { queryResultsProvider } from './query-results.ts';

/** Tavily, made for agents: api.tavily.com. */
export function tavilyProvider({
  key,
  baseUrl = 'https://api.tavily.com',
}: KeyedParts): SearchProvider {
  const url = new URL('/search', baseUrl);
  const options = { search_depth: 'basic' };
  return queryResultsProvider({ name: 'tavily', key, url, maxResults: 20, options });
}
