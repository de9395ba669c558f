import type { Settings } from '#contract/entities.ts';
import type { SearchProviderName } from '#contract/search.ts';
import type { AppEgress } from '../egress/app-egress.ts';
import { clientOfUser } from './search-egress.ts';
import type { SearchAnswer, SearchService } from './types.ts';

export interface SearchTrial {
  readonly query: string;
  readonly limit: number;
  /** Overrides the setting. */
  readonly provider?: SearchProviderName | undefined;
}

/** Searches that the user makes directly: in the settings, and in the CLI. */
export interface SearchApi {
  /** Throws `SEARCH_FAILED`, `BAD_REQUEST`, or the signal's reason. */
  try(trial: SearchTrial, signal: AbortSignal): Promise<SearchAnswer>;
}

export function createSearchApi({
  search,
  egress,
  settings,
}: {
  readonly search: SearchService;
  readonly egress: Pick<AppEgress, 'appClient'>;
  readonly settings: () => Settings;
}): SearchApi {
  return {
    try: ({ query, limit, provider }, signal) =>
      search.search(query, {
        ...{ limit, signal, egressClient: clientOfUser(egress) },
        offline: settings().egress === 'offline',
        ...(provider === undefined ? {} : { provider }),
      }),
  };
}
