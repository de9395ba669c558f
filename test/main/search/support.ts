import { AppError } from '#contract/errors.ts';
import { Settings } from '#contract/settings.ts';
import type { NetworkPolicy } from '#contract/vocabulary.ts';
import { clientOfRun } from '#main/search/search-egress.ts';
import { Search } from '#main/search/search-service.ts';
import type { LibraryReader, SearchResult } from '#main/search/types.ts';
import { testEgress } from '../../fakes/egress.ts';
import {
  type FakeSource,
  keyOf,
  type startSearchWeb,
  type WebProvider,
} from '../../fakes/search-web.ts';

export type SearchWeb = Awaited<ReturnType<typeof startSearchWeb>>;
export const never = new AbortController().signal;

export const source = (name: string): FakeSource => ({
  ...{ url: `https://${name}.example/`, title: name, snippet: `About ${name}.` },
});
export const ofLibrary = (name: string): SearchResult => ({
  ...{ url: `library:1/${name}`, title: name, snippet: `About ${name}.` },
  ...{ publishedAt: null, provider: 'library' },
});
export const libraryOf = (
  search: LibraryReader['search'] = async () => [ofLibrary('notes.md')],
  isEmpty = false,
): LibraryReader => ({
  isEmpty,
  search,
  read: () => Promise.reject(new AppError('NOT_FOUND', 'There is no such document.')),
});

export interface Given {
  readonly keys?: readonly WebProvider[];
  readonly searxng?: boolean;
  readonly library?: LibraryReader | null;
  readonly settings?: Record<string, unknown>;
  readonly network?: NetworkPolicy;
  /** Whether services on loopback count as public here; private ones need a reason to be reached. */
  readonly reachable?: boolean;
}

/** The service over six services on loopback, through the real broker, within a run. */
export function openSearchOn(web: SearchWeb, given: Given = {}) {
  const { keys = [], searxng = false, library = null, network = 'open', reachable = true } = given;
  const settings = {
    current: Settings.parse({
      egressPrivateHosts: reachable ? web.privateHosts : [],
      searxngUrl: searxng ? web.urlOf('searxng') : '',
      ...given.settings,
    }),
  };
  const parts = testEgress({ names: web.names, settings });
  const time = { ms: 0 };
  const search = new Search({
    settings: () => settings.current,
    providers: web.providers(
      (name) => (keys.includes(name) ? keyOf(name) : null),
      () => settings.current.searxngUrl,
    ),
    library,
    clock: { now: () => time.ms, monotonic: () => time.ms },
  });
  const run = parts.egress.forRun({ runId: 'run_1', threadId: 'thr_1', network, allowHosts: [] });
  const ask = (query = 'tides', more: Record<string, unknown> = {}) =>
    search.search(query, {
      ...{ limit: 8, signal: never, offline: run.policy === 'offline' },
      ...{ egressClient: clientOfRun(run, { approved: false }), ...more },
    });
  return { ...parts, settings, search, run, ask, time };
}
