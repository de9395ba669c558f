import { z } from 'zod';
import { SearchProviderName } from './vocabulary.ts';

/** Maximum characters of a query, and maximum results of one search. */
export const SEARCH_QUERY_CHARS = 500;
export const SEARCH_RESULTS_LIMIT = 20;

/** Display names of the providers. */
export const SEARCH_PROVIDER_LABELS: Readonly<Record<SearchProviderName, string>> = {
  searxng: 'SearXNG',
  brave: 'Brave',
  tavily: 'Tavily',
  serper: 'Serper',
  ollama: 'Ollama web search',
  duckduckgo: 'DuckDuckGo',
  library: 'Library',
};

/** Providers that need a key, and its name in the secret store. */
export const SEARCH_KEYS = {
  brave: 'search-brave',
  tavily: 'search-tavily',
  serper: 'search-serper',
  ollama: 'search-ollama',
} as const satisfies Partial<Record<SearchProviderName, string>>;
export type KeyedSearchProvider = keyof typeof SEARCH_KEYS;

/** A search result of a provider. */
export const SearchResult = z.strictObject({
  /** `https:`, `http:`, or `library:` for a document in the user's own folders. */
  url: z.string(),
  title: z.string(),
  /** The matching passage, as plain text. */
  snippet: z.string(),
  /** ISO date (`2026-01-31`); null if the provider reports none. */
  publishedAt: z.string().nullable(),
  provider: SearchProviderName,
});
export type SearchResult = Readonly<z.infer<typeof SearchResult>>;

/** The results of a search, the providers that were asked, and what went wrong. */
export const SearchAnswer = z.strictObject({
  results: z.array(SearchResult),
  asked: z.array(SearchProviderName),
  problems: z.array(z.string()),
});
