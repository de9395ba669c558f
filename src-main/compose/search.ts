import type { Settings } from '#contract/settings.ts';
import type { Clock } from '../base/clock.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import { createSearchProviders, searchKeys } from '../search/search-providers.ts';
import { Search } from '../search/search-service.ts';
import type { LibraryReader } from '../search/types.ts';

/** Creates the app's web search over the configured providers. */
export function createSearch(parts: {
  readonly settings: () => Settings;
  readonly readSecret: (name: string) => string | null;
  readonly secrets: KnownSecrets;
  readonly clock: Clock;
  readonly library: LibraryReader | null;
}): Search {
  const { settings, readSecret, secrets, clock, library } = parts;
  const providers = createSearchProviders({
    keyOf: searchKeys({
      readSecret,
      env: process.env,
      onSecret: (value) => secrets.register(value),
    }),
    searxngUrl: () => settings().searxngUrl,
  });
  return new Search({ settings, providers, library, clock, secrets });
}
