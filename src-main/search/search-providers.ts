import { braveProvider } from './providers/brave.ts';
import { duckduckgoProvider } from './providers/duckduckgo.ts';
import { ollamaProvider } from './providers/ollama.ts';
import { searxngProvider } from './providers/searxng.ts';
import { serperProvider } from './providers/serper.ts';
import { tavilyProvider } from './providers/tavily.ts';
import { type SearchKeyParts, searchKeys } from './search-keys.ts';
import type { SearchProvider } from './types.ts';

export interface SearchProviderParts extends SearchKeyParts {
  readonly searxngUrl: () => string;
}

/** All web providers in the order in which they are asked: those that need setup, then DuckDuckGo. */
export function createSearchProviders(parts: SearchProviderParts): SearchProvider[] {
  const keyOf = searchKeys(parts);
  return [
    searxngProvider(parts.searxngUrl),
    braveProvider({ key: () => keyOf('brave') }),
    tavilyProvider({ key: () => keyOf('tavily') }),
    serperProvider({ key: () => keyOf('serper') }),
    ollamaProvider({ key: () => keyOf('ollama') }),
    duckduckgoProvider(),
  ];
}
