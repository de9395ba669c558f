import { SEARCH_KEYS } from '#contract/search.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import { MODEL_KEY_VARIABLES } from '../models/providers.ts';
import { secretsOfAddress } from '../models/server-errors.ts';
import type { ComposeOptions } from './app.ts';

/** Registers the secrets this process was started with, before anything is stored or shown. */
export function registerStartupSecrets(
  secrets: KnownSecrets,
  { modelOverrides }: ComposeOptions,
  environment: Readonly<Record<string, string | undefined>>,
): void {
  const variables = [...MODEL_KEY_VARIABLES, ...SEARCH_KEYS.flatMap((key) => key.variables)];
  for (const name of [...variables, 'E2B_API_KEY']) secrets.register(environment[name] ?? '');
  secrets.register(modelOverrides?.apiKey ?? '');
  const address = URL.parse(modelOverrides?.baseUrl ?? '');
  for (const secret of address === null ? [] : secretsOfAddress(address)) secrets.register(secret);
}
