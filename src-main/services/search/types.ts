import type { SearchProviderName } from '#contract/vocabulary.ts';
import type { EgressTarget } from '../egress/target.ts';
import type { EgressDoor } from '../egress/types.ts';

/** A source as a provider found it. */
export interface SearchResult {
  /** `https:`, `http:`, or `library:` for a document of the person's own folders. */
  readonly url: string;
  readonly title: string;
  /** The passage that fits the query, as plain text. */
  readonly snippet: string;
  /** ISO date, where the provider says one. */
  readonly publishedAt: string | null;
  readonly provider: SearchProviderName;
}

export interface SearchAnswer {
  /** Best first, each source once, at most as many as were asked for. */
  readonly results: readonly SearchResult[];
  /** Providers that were asked, in order. */
  readonly asked: readonly SearchProviderName[];
  /** What went wrong with providers that gave nothing, in words for the person. */
  readonly problems: readonly string[];
}

export interface SearchOptions {
  readonly limit: number;
  /** The way out; `hosts` are those of the provider, named by the person in the settings. */
  readonly door: (hosts: readonly EgressTarget[]) => EgressDoor;
  /** True where nothing may go out: then only the library is asked. */
  readonly offline: boolean;
  /** Overrides the setting. */
  readonly provider?: SearchProviderName;
  readonly signal: AbortSignal;
}

/** Finds sources. Answers are kept for a while, so that the same question costs one request. */
export interface SearchService {
  /** Throws `SEARCH_FAILED` where no provider answered, with what to do about it. */
  search(query: string, options: SearchOptions): Promise<SearchAnswer>;
  /** Whether a search would be asked of anybody, and of whom. */
  providers(offline: boolean): readonly SearchProviderName[];
}

/** One place that finds sources. It never throws for an empty answer. */
export interface SearchProvider {
  readonly name: SearchProviderName;
  /** Null where something is missing to ask it (a key, an address, a folder). */
  readonly hosts: () => readonly EgressTarget[] | null;
  search(
    query: string,
    options: {
      readonly limit: number;
      readonly door: EgressDoor;
      readonly signal: AbortSignal;
    },
  ): Promise<readonly SearchResult[]>;
}

/** Documents of the person's own folders, found and read without a network. */
export interface LibraryReader {
  /** Whether there is anything to find. */
  readonly isEmpty: boolean;
  search(
    query: string,
    options: { readonly limit: number; readonly signal: AbortSignal },
  ): Promise<readonly SearchResult[]>;
  /** The text of a document that a result named (`library:…`). Throws `NOT_FOUND`. */
  read(
    url: string,
    signal: AbortSignal,
  ): Promise<{ readonly title: string; readonly text: string }>;
}
