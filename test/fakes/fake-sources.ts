import type { RequestOutput } from '#contract/requests.ts';

/** What a trial in the settings finds: three sources, after a provider that refused its key. */
export function fakeSearch(query: string): RequestOutput<'search.try'> {
  const results = ['Forecast for the week', 'Climate in numbers', 'What to wear \u202eraew'].map(
    (title, index) => ({
      url: `https://weather.example/${index + 1}?q=${encodeURIComponent(query)}`,
      ...{ title, snippet: 'Mild and mostly dry, with wind from the sea in the afternoon.' },
      ...{ publishedAt: null, provider: 'duckduckgo' as const },
    }),
  );
  return {
    results,
    asked: ['brave', 'duckduckgo'],
    problems: ['Brave refused the key. Enter it again in the settings, under Search.'],
  };
}
