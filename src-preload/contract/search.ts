import { z } from 'zod';

/** Maximum characters of a query, and maximum results of one search. */
export const SEARCH_QUERY_CHARS = 500;
export const SEARCH_RESULTS_LIMIT = 20;

/** What the app knows of a search provider everywhere. */
interface SearchProviderFacts {
  readonly label: string;
  /** In the settings, where one is chosen. */
  readonly choice: string;
  /** Where its key may be: its name in the secret store, then environment variables. Absent: it needs none. */
  readonly key?: { readonly secret: string; readonly variables: readonly string[] };
}

/** Every search provider, in the order in which they are asked: those that need setup, then DuckDuckGo. */
export const SEARCH_PROVIDERS = {
  searxng: { label: 'SearXNG', choice: 'SearXNG, on your own or another server' },
  brave: {
    label: 'Brave',
    choice: 'Brave, with a key',
    key: { secret: 'search-brave', variables: ['BRAVE_API_KEY', 'BRAVE_SEARCH_API_KEY'] },
  },
  tavily: {
    label: 'Tavily',
    choice: 'Tavily, with a key',
    key: { secret: 'search-tavily', variables: ['TAVILY_API_KEY'] },
  },
  serper: {
    label: 'Serper',
    choice: 'Serper (Google), with a key',
    key: { secret: 'search-serper', variables: ['SERPER_API_KEY'] },
  },
  ollama: {
    label: 'Ollama web search',
    choice: 'Ollama web search, with a key',
    key: { secret: 'search-ollama', variables: ['OLLAMA_API_KEY'] },
  },
  duckduckgo: { label: 'DuckDuckGo', choice: 'DuckDuckGo, without a key (unreliable)' },
  // The user's own folders: needs no network.
  library: { label: 'Library', choice: 'My folders only: nothing leaves this computer' },
} as const satisfies Readonly<Record<string, SearchProviderFacts>>;

type Providers = typeof SEARCH_PROVIDERS;
export type SearchProviderName = keyof Providers;
export const SearchProviderName = z.enum(
  Object.keys(SEARCH_PROVIDERS) as [SearchProviderName, ...SearchProviderName[]],
);

export type KeyedSearchProvider = {
  [Name in SearchProviderName]: Providers[Name] extends { readonly key: object } ? Name : never;
}[SearchProviderName];

/** The keys of all providers that need one. */
export const SEARCH_KEYS = Object.values(SEARCH_PROVIDERS).flatMap((provider) =>
  'key' in provider ? [{ label: provider.label, ...provider.key }] : [],
);

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
