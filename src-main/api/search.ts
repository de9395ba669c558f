import type { Settings } from '#contract/settings.ts';
import type { AppEgress } from '../egress/app-egress.ts';
import { clientOfUser } from '../search/search-egress.ts';
import type { SearchService } from '../search/types.ts';
import type { Requests } from './types.ts';

export interface SearchRequestParts {
  readonly search: SearchService;
  readonly egress: Pick<AppEgress, 'appClient'>;
  readonly settings: () => Settings;
}

/** Searches that the user makes directly: in the settings, and in the CLI. */
export function searchRequests({ search, egress, settings }: SearchRequestParts) {
  return {
    'search.try': async ({ query, limit, provider }, { closed }) => {
      const { results, asked, problems } = await search.search(query, {
        limit,
        signal: closed,
        egressClient: clientOfUser(egress),
        offline: settings().egress === 'offline',
        provider,
      });
      return { results: [...results], asked: [...asked], problems: [...problems] };
    },
  } satisfies Requests<'search'>;
}
