import { queryResultsProvider } from '../query-results.ts';
import type { ProviderParts, SearchProvider } from '../types.ts';

/** Tavily, made for agents: api.tavily.com. */
export function provider({
  key,
  baseUrl = 'https://api.tavily.com',
}: ProviderParts): SearchProvider {
  const url = new URL('/search', baseUrl);
  const options = { search_depth: 'basic' };
  return queryResultsProvider({ name: 'tavily', key, url, maxResults: 20, options });
}
