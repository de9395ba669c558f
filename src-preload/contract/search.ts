import { z } from 'zod';
import { SearchProviderName } from './vocabulary.ts';

/** Characters of a query, and results that one search gives at most. */
export const SEARCH_QUERY_CHARS = 500;
export const SEARCH_RESULTS_LIMIT = 20;

/** Providers as people know them. */
export const SEARCH_PROVIDER_LABELS: Readonly<Record<SearchProviderName, string>> = {
  searxng: 'SearXNG',
  brave: 'Brave',
  tavily: 'Tavily',
  serper: 'Serper',
  ollama: 'Ollama web search',
  duckduckgo: 'DuckDuckGo',
  library: 'Library',
};

/** Providers that want a key, and the name that it has in the secret store. */
export const SEARCH_KEYS = {
  brave: 'search-brave',
  tavily: 'search-tavily',
  serper: 'search-serper',
  ollama: 'search-ollama',
} as const satisfies Partial<Record<SearchProviderName, string>>;
export type KeyedSearchProvider = keyof typeof SEARCH_KEYS;

/** A source as a provider found it. */
export const SearchResult = z.strictObject({
  /** `https:`, `http:`, or `library:` for a document of the person's own folders. */
  url: z.string(),
  title: z.string(),
  /** The passage that fits the query, as plain text. */
  snippet: z.string(),
  /** ISO date (`2026-01-31`), where the provider says one. */
  publishedAt: z.string().nullable(),
  provider: SearchProviderName,
});
export type SearchResult = Readonly<z.infer<typeof SearchResult>>;

/** What a search found, who was asked for it, and what went wrong on the way. */
export const SearchAnswer = z.strictObject({
  results: z.array(SearchResult),
  asked: z.array(SearchProviderName),
  problems: z.array(z.string()),
});
