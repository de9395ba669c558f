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

export interface SearchKeyParts {
  /** A key from the secret store by its name; null if there is none. May throw `CONFLICT`. */
  readonly readSecret: (name: string) => string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with every key that is used, so that it stays out of logs. */
  readonly onSecret: (value: string) => void;
}

/** Looks up the key of a provider: the stored one, or else one from the environment; null without either. */
export function searchKeys(
  parts: SearchKeyParts,
): (provider: KeyedSearchProvider) => string | null {
  return (provider) => {
    const { secret, variables } = SEARCH_PROVIDERS[provider].key;
    const stored = parts.readSecret(secret)?.trim() ?? '';
    const given = variables.map((name) => parts.env[name]?.trim() ?? '');
    const key = [stored, ...given].find((one) => one !== '') ?? null;
    if (key !== null) parts.onSecret(key);
    return key;
  };
}
