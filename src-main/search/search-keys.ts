import { type KeyedSearchProvider, SEARCH_PROVIDERS } from '#contract/search.ts';

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
