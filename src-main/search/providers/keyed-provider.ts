import { AppError } from '#contract/errors.ts';
import { type KeyedSearchProvider, SEARCH_PROVIDER_LABELS } from '#contract/search.ts';
import { targetOfUrl } from '../../egress/target.ts';
import { askProvider, keyRefused, type ProviderRequest, requireSuccess } from '../ask-provider.ts';
import { type FoundPage, foundResults } from '../found-result.ts';
import type { SearchProvider } from '../types.ts';

export interface KeyedParts {
  /** Null where none was entered. May throw `CONFLICT` for one that cannot be opened. */
  readonly key: () => string | null;
  /** Another place than the service's own, for tests. */
  readonly baseUrl?: string;
}

export interface KeyedService {
  readonly name: KeyedSearchProvider;
  readonly key: () => string | null;
  readonly url: URL;
  /** Statuses by which it says that it does not take the key. */
  readonly refusals?: readonly number[];
  readonly request: (
    query: string,
    limit: number,
    key: string,
  ) => Pick<ProviderRequest, 'url' | 'headers' | 'body'>;
  /** Throws `SEARCH_FAILED` for what is not the service's own form. */
  readonly read: (text: string, label: string) => readonly FoundPage[] | Promise<FoundPage[]>;
}

/** What all services with a key have in common: no request without one, and none that shows it. */
export function keyedProvider(service: KeyedService): SearchProvider {
  const label = SEARCH_PROVIDER_LABELS[service.name];
  return {
    name: service.name,
    namedBy: 'key',
    missing: `${label} has no key: enter one in the settings, under Search.`,
    hosts: () => (hasKey(service.key) ? [targetOfUrl(service.url)] : null),
    search: async (query, { limit, egressClient, signal }) => {
      const key = service.key() ?? '';
      // What is refused as a header would be quoted in the error.
      if (!/^[\x21-\x7e]+$/.test(key)) throw keyRefused(label);
      const request = service.request(query, limit, key);
      const { status, text } = await askProvider({ label, ...request, egressClient, signal });
      if ((service.refusals ?? [401, 403]).includes(status)) throw keyRefused(label);
      requireSuccess(label, status);
      return foundResults(service.name, await service.read(text, label), limit);
    },
  };
}

/** One that cannot be opened is there; who uses it is told. */
function hasKey(key: () => string | null): boolean {
  try {
    return key() !== null;
  } catch (error) {
    if (error instanceof AppError) return true;
    throw error;
  }
}

/** Headers and body of a request in JSON. */
export function jsonRequest(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Pick<ProviderRequest, 'url' | 'headers' | 'body'> {
  return {
    url,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}
