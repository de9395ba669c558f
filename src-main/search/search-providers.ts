import {
  type KeyedSearchProvider,
  SEARCH_PROVIDERS,
  SearchProviderName,
} from '#contract/search.ts';
import { modulesOf } from '../base/modules-of.ts';
import type { ProviderParts, SearchProvider } from './types.ts';

type WebProviderName = Exclude<SearchProviderName, 'library'>;

export interface SearchProviderParts extends Pick<ProviderParts, 'searxngUrl'> {
  /** See `searchKeys`. */
  readonly keyOf: (provider: KeyedSearchProvider) => string | null;
  /** Replaces the services' own addresses in tests. */
  readonly baseUrlOf?: (provider: WebProviderName) => string;
}

type CreateProvider = (parts: ProviderParts) => SearchProvider;

/** The `provider` of each module in `providers/`, by its path. */
const CREATE_PROVIDER: Readonly<Record<string, CreateProvider>> = import.meta.env
  ? import.meta.glob<CreateProvider>('./providers/*.ts', { eager: true, import: 'provider' })
  : modulesOf(import.meta.dirname, { pattern: './providers/*.ts', name: 'provider' });

/** All web providers of the contract, in its order, each from the file with its name. */
export function createSearchProviders(parts: SearchProviderParts): SearchProvider[] {
  const web = SearchProviderName.options.filter((name) => name !== 'library');
  return web.map((name) => {
    const created = CREATE_PROVIDER[`./providers/${name}.ts`]?.({
      key: () => (isKeyed(name) ? parts.keyOf(name) : null),
      searxngUrl: parts.searxngUrl,
      baseUrl: parts.baseUrlOf?.(name),
    });
    if (created?.name === name) return created;
    throw new Error(`src-main/search/providers/${name}.ts does not define ${name}`);
  });
}

function isKeyed(name: SearchProviderName): name is KeyedSearchProvider {
  return 'key' in SEARCH_PROVIDERS[name];
}
