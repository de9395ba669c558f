import { type KeyedSearchProvider, SEARCH_KEYS } from '#contract/search.ts';

/** Environment variables that may hold a key, for entry points without a keychain. */
export const SEARCH_KEY_VARIABLES: Readonly<Record<KeyedSearchProvider, readonly string[]>> = {
  brave: ['BRAVE_API_KEY', 'BRAVE_SEARCH_API_KEY'],
  tavily: ['TAVILY_API_KEY'],
  serper: ['SERPER_API_KEY'],
  ollama: ['OLLAMA_API_KEY'],
};

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
    const stored = parts.readSecret(SEARCH_KEYS[provider])?.trim() ?? '';
    const given = SEARCH_KEY_VARIABLES[provider].map((name) => parts.env[name]?.trim() ?? '');
    const key = [stored, ...given].find((one) => one !== '') ?? null;
    if (key !== null) parts.onSecret(key);
    return key;
  };
}
