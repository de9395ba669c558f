import { queryResultsProvider } from '../query-results.ts';
import type { ProviderParts, SearchProvider } from '../types.ts';

/** The web search of ollama.com, a separate service: a local Ollama server has no search. */
export function provider({ key, baseUrl = 'https://ollama.com' }: ProviderParts): SearchProvider {
  const url = new URL('/api/web_search', baseUrl);
  return queryResultsProvider({ name: 'ollama', key, url, maxResults: 10 });
}
