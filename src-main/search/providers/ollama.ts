import type { SearchProvider } from '../types.ts';
import type { KeyedParts } from './keyed-provider.ts';
import { queryResultsProvider } from './query-results.ts';

/** The web search of ollama.com, a separate service: a local Ollama server has no search. */
export function ollamaProvider({
  key,
  baseUrl = 'https://ollama.com',
}: KeyedParts): SearchProvider {
  const url = new URL('/api/web_search', baseUrl);
  return queryResultsProvider({ name: 'ollama', key, url, maxResults: 10 });
}
