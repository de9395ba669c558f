import type { CheckItem } from '#contract/entities.ts';
import { SEARCH_PROVIDERS } from '#contract/search.ts';
import type { Settings } from '#contract/settings.ts';
import type { SearchService } from '../search/types.ts';

const SET_UP =
  'Enter the address of a SearXNG server or a key of a search service in the settings, under Search.';

/** Which search is set up. No provider is contacted: that would send something. */
export function checkSearch(
  search: Pick<SearchService, 'providers'>,
  { egress, searchProvider }: Settings,
): CheckItem {
  const item = { id: 'search', label: 'Search' };
  const isOff = egress === 'offline';
  const names = search.providers(isOff);
  if (names.length === 0) {
    const detail = isOff
      ? 'the network is switched off, and the library is empty'
      : `${searchProvider === 'auto' ? 'nothing' : SEARCH_PROVIDERS[searchProvider].label} is selected but not set up`;
    return { ...item, status: 'missing', detail, remedy: isOff ? null : SET_UP };
  }
  const web = names.filter((name) => name !== 'library');
  const inTurn = web.map((name) => SEARCH_PROVIDERS[name].label).join(', then ');
  const detail = [...(web.length < names.length ? ['the library'] : []), inTurn]
    .filter((part) => part !== '')
    .join(', and ');
  if (names.some((name) => name !== 'duckduckgo') || isOff) {
    return { ...item, status: 'ok', detail, remedy: null };
  }
  return {
    ...item,
    status: 'ok',
    detail: `${detail}, without a key: unreliable`,
    remedy: SET_UP,
  };
}
