import { AppError } from '#contract/errors.ts';
import {
  SEARCH_PROVIDERS,
  SEARCH_RESULTS_LIMIT,
  type SearchProviderName,
} from '#contract/search.ts';
import type { Settings } from '#contract/settings.ts';
import type { Clock } from '../base/clock.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import { isTransient } from '../base/transient.ts';
import { shownTarget } from '../egress/target.ts';
import { rankResults } from './rank.ts';
import { SearchCache } from './search-cache.ts';
import type {
  LibraryReader,
  SearchAnswer,
  SearchContact,
  SearchOptions,
  SearchProvider,
  SearchResult,
  SearchService,
} from './types.ts';

export interface SearchParts {
  readonly settings: () => Pick<Settings, 'searchProvider'>;
  /** Web providers, in the order in which they are asked. */
  readonly providers: readonly SearchProvider[];
  readonly library: LibraryReader | null;
  readonly clock: Clock;
  /** Removed from every query. */
  readonly secrets?: KnownSecrets;
}

/** What the web or the library found. Null results mean that nobody answered. */
interface Outcome {
  readonly results: readonly SearchResult[] | null;
  readonly asked: readonly SearchProviderName[];
  readonly problems: readonly string[];
  /** One of the problems may be gone in a moment. */
  readonly transient?: boolean;
}

const NOT_ASKED: Outcome = { results: null, asked: [], problems: [] };

/** See `SearchService`. One web provider answers; the library is asked in parallel. */
export class Search implements SearchService {
  readonly #parts: SearchParts;
  readonly #cache: SearchCache;

  constructor(parts: SearchParts) {
    this.#parts = parts;
    this.#cache = new SearchCache(parts.clock);
  }

  async search(query: string, options: SearchOptions): Promise<SearchAnswer> {
    const { offline, signal } = options;
    signal.throwIfAborted();
    const words = query.normalize('NFKC').replace(/\s+/g, ' ').trim();
    const text = this.#parts.secrets?.text(words) ?? words;
    if (text === '') throw new AppError('BAD_REQUEST', 'Say what to search for.');
    const limit = Math.min(Math.max(1, Math.trunc(options.limit)), SEARCH_RESULTS_LIMIT);
    const wanted = options.provider ?? this.#parts.settings().searchProvider;
    const asked = { ...options, limit, wanted };
    const [library, web] = await Promise.all([
      this.#asksLibrary(wanted, offline) ? this.#askLibrary(text, asked) : NOT_ASKED,
      this.#askWeb(text, asked),
    ]);
    const outcomes = [library, web];
    const lists = outcomes.flatMap(({ results }) => (results === null ? [] : [results]));
    const problems = outcomes.flatMap((outcome) => outcome.problems);
    if (lists.length === 0) {
      throw noAnswer(problems, { offline, transient: web.transient === true });
    }
    return {
      results: rankResults(lists, text, limit),
      asked: outcomes.flatMap((outcome) => outcome.asked),
      problems,
    };
  }

  providers(offline: boolean): readonly SearchProviderName[] {
    return this.contacts(offline).map(({ name }) => name);
  }

  contacts(offline: boolean): readonly SearchContact[] {
    const wanted = this.#parts.settings().searchProvider;
    const library: SearchContact[] = this.#asksLibrary(wanted, offline)
      ? [{ name: 'library', hosts: [], namedBy: 'address' }]
      : [];
    const web = this.#chain(wanted, offline).flatMap(({ name, namedBy, hosts }) => {
      const targets = hosts();
      return targets === null ? [] : [{ name, namedBy, hosts: targets }];
    });
    return [...library, ...web];
  }

  /** Offline, the library is asked whatever provider was chosen. */
  #asksLibrary(wanted: Settings['searchProvider'], offline: boolean): boolean {
    const { library } = this.#parts;
    return library !== null && !library.isEmpty && (offline || isIn(wanted, ['auto', 'library']));
  }

  #chain(wanted: Settings['searchProvider'], offline: boolean): readonly SearchProvider[] {
    if (offline) return [];
    const { providers } = this.#parts;
    return wanted === 'auto' ? providers : providers.filter(({ name }) => name === wanted);
  }

  async #askLibrary(query: string, { limit, signal }: Asked): Promise<Outcome> {
    const asked: readonly SearchProviderName[] = ['library'];
    try {
      const results = (await this.#parts.library?.search(query, { limit, signal })) ?? [];
      return { results, asked, problems: [] };
    } catch (error) {
      signal.throwIfAborted();
      return { results: null, asked, problems: [messageOf(error)] };
    }
  }

  /** The first provider that finds something, with the problems of those before it. */
  async #askWeb(query: string, options: Asked): Promise<Outcome> {
    const { wanted, offline } = options;
    const asked: SearchProviderName[] = [];
    const problems: string[] = [];
    let transient = false;
    let answer: readonly SearchResult[] | null = null;
    if (offline && !isIn(wanted, ['auto', 'library'])) {
      const { label } = SEARCH_PROVIDERS[wanted as SearchProviderName];
      problems.push(`${label} was not asked: the network is switched off.`);
    }
    for (const provider of this.#chain(wanted, offline)) {
      const hosts = provider.hosts();
      if (hosts === null) {
        // In `auto`, a provider that is not set up is not a problem.
        if (wanted !== 'auto') problems.push(provider.missing);
        continue;
      }
      asked.push(provider.name);
      try {
        answer = await this.#askProvider(provider, query, { ...options, hosts });
        if (answer.length > 0) break;
      } catch (error) {
        options.signal.throwIfAborted();
        problems.push(messageOf(error));
        transient ||= isTransient(error);
      }
    }
    return { results: answer, asked, problems, transient };
  }

  async #askProvider(
    provider: SearchProvider,
    query: string,
    { limit, egressClient, hosts, signal }: Asked & { readonly hosts: SearchContact['hosts'] },
  ): Promise<readonly SearchResult[]> {
    const where = hosts.map(shownTarget).join(' ');
    const key = JSON.stringify([provider.name, where, query.toLowerCase(), limit]);
    const kept = this.#cache.get(key);
    if (kept !== null) return kept;
    const client = egressClient(hosts, provider.namedBy);
    const results = await provider.search(query, { limit, egressClient: client, signal });
    this.#cache.put(key, results);
    return results;
  }
}

interface Asked extends SearchOptions {
  readonly wanted: Settings['searchProvider'];
}

function isIn(wanted: string, names: readonly string[]): boolean {
  return names.includes(wanted);
}

/** The message of an expected failure; anything else is a bug and is rethrown. */
function messageOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  throw error;
}

function noAnswer(
  problems: readonly string[],
  { offline, transient }: { readonly offline: boolean; readonly transient: boolean },
): AppError {
  if (offline) {
    return new AppError(
      'SEARCH_FAILED',
      'Nothing could be searched: the network is switched off, and the library is empty. Switch the network on, or add folders to the library.',
      { details: { problems } },
    );
  }
  const why =
    problems.length === 0 ? 'The library is empty: add folders to it.' : problems.join(' ');
  return new AppError('SEARCH_FAILED', `No search provider answered. ${why}`, {
    details: { problems, ...(transient ? { transient } : {}) },
  });
}
