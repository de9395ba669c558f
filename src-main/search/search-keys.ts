import { type KeyedSearchProvider, SEARCH_KEYS } from '#contract/search.ts';

/** Where keys also come from, for doors without a keychain. */
export const SEARCH_KEY_VARIABLES: Readonly<Record<KeyedSearchProvider, readonly string[]>> = {
  brave: ['BRAVE_API_KEY', 'BRAVE_SEARCH_API_KEY'],
  tavily: ['TAVILY_API_KEY'],
  serper: ['SERPER_API_KEY'],
  ollama: ['OLLAMA_API_KEY'],
};

export interface SearchKeyParts {
  /** A key of the secret store by its name; null when there is none. May throw `CONFLICT`. */
  readonly readSecret: (name: string) => string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told every key that is used, so that it is kept out of logs. */
  readonly onSecret: (value: string) => void;
}

/** Gives the key of a provider: the stored one, or one of the environment; null without either. */
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
