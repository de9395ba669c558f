import type { SearchProviderName, SearchResult } from '#contract/search.ts';
import type { EgressTarget } from '../egress/target.ts';
import type { EgressClient } from '../egress/types.ts';

export type { SearchResult } from '#contract/search.ts';

export interface SearchAnswer {
  /** Best first, each source once, at most as many as were asked for. */
  readonly results: readonly SearchResult[];
  /** Providers that were asked, in order. */
  readonly asked: readonly SearchProviderName[];
  /** Why providers gave nothing; shown to the user. */
  readonly problems: readonly string[];
}

/**
 * How the user named a provider: by its address in the settings (which may be on the user's own
 * network), by a key for it, or not at all.
 */
export type NamedBy = 'address' | 'key' | 'nothing';

export interface SearchOptions {
  readonly limit: number;
  /** The egress client for the hosts of a provider: see `search-egress.ts`. */
  readonly egressClient: (hosts: readonly EgressTarget[], namedBy: NamedBy) => EgressClient;
  /** True while the network is off: then only the library is asked. */
  readonly offline: boolean;
  /** Overrides the setting. */
  readonly provider?: SearchProviderName | undefined;
  readonly signal: AbortSignal;
}

/** A provider that would be asked, and its hosts. The library has none. */
export interface SearchContact {
  readonly name: SearchProviderName;
  readonly hosts: readonly EgressTarget[];
  readonly namedBy: NamedBy;
}

/** Finds sources. Answers are cached for a while, so that the same query costs one request. */
export interface SearchService {
  /** Throws `SEARCH_FAILED` if no provider answered, with what to do about it. */
  search(query: string, options: SearchOptions): Promise<SearchAnswer>;
  /** The providers that a search would ask; empty if there are none. */
  providers(offline: boolean): readonly SearchProviderName[];
  /** The same with the hosts of each: the library first, then the web in the order of asking. */
  contacts(offline: boolean): readonly SearchContact[];
}

/** What a provider may use. */
export interface ProviderParts {
  /** Its key; null if it has none. May throw `CONFLICT` if the stored key cannot be decrypted. */
  readonly key: () => string | null;
  /** The address of the user's SearXNG server; empty if none is set. */
  readonly searxngUrl: () => string;
  /** Replaces the service's own address in tests. */
  readonly baseUrl?: string | undefined;
}

/** One place that finds sources. An empty result is not an error. */
export interface SearchProvider {
  readonly name: SearchProviderName;
  readonly namedBy: NamedBy;
  /** Null while something is missing to ask it (a key, an address, a folder). */
  readonly hosts: () => readonly EgressTarget[] | null;
  /** What is missing then, and where to enter it; shown to the user. */
  readonly missing: string;
  /** Throws `SEARCH_FAILED` or `CONFLICT` with a message for the user, or the signal's reason. */
  search(
    query: string,
    options: {
      readonly limit: number;
      readonly egressClient: EgressClient;
      readonly signal: AbortSignal;
    },
  ): Promise<readonly SearchResult[]>;
}

/** Documents in the user's own folders, found and read without a network. */
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
