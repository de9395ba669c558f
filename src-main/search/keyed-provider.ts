import { AppError } from '#contract/errors.ts';
import { type KeyedSearchProvider, SEARCH_PROVIDERS } from '#contract/search.ts';
import { targetOfUrl } from '../egress/target.ts';
import { askProvider, keyRefused, type ProviderRequest, requireSuccess } from './ask-provider.ts';
import { type FoundPage, foundResults } from './found-result.ts';
import type { SearchProvider } from './types.ts';

export interface KeyedService {
  readonly name: KeyedSearchProvider;
  readonly key: () => string | null;
  readonly url: URL;
  /** Statuses with which the service refuses a key. */
  readonly refusals?: readonly number[];
  readonly request: (
    query: string,
    limit: number,
    key: string,
  ) => Pick<ProviderRequest, 'url' | 'headers' | 'body'>;
  /** Throws `SEARCH_FAILED` if the answer does not have the service's format. */
  readonly read: (text: string, label: string) => readonly FoundPage[] | Promise<FoundPage[]>;
}

/** What all services with a key share: no request without a key, and no error that quotes it. */
export function keyedProvider(service: KeyedService): SearchProvider {
  const label = SEARCH_PROVIDERS[service.name].label;
  return {
    name: service.name,
    namedBy: 'key',
    missing: `${label} has no key: enter one in the settings, under Search.`,
    hosts: () => (hasKey(service.key) ? [targetOfUrl(service.url)] : null),
    search: async (query, { limit, egressClient, signal }) => {
      const key = service.key() ?? '';
      // The error for an invalid header value quotes that value, so such a key must not get that far.
      if (!/^[\x21-\x7e]+$/.test(key)) throw keyRefused(label);
      const request = service.request(query, limit, key);
      const { status, text } = await askProvider({ label, ...request, egressClient, signal });
      if ((service.refusals ?? [401, 403]).includes(status)) throw keyRefused(label);
      requireSuccess(label, status);
      return foundResults(service.name, await service.read(text, label), limit);
    },
  };
}

/** True also for a key that cannot be decrypted: using it throws, and so explains the problem. */
function hasKey(key: () => string | null): boolean {
  try {
    return key() !== null;
  } catch (error) {
    if (error instanceof AppError) return true;
    throw error;
  }
}

/** Headers and body of a JSON request. */
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
