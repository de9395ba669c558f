import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { startSearchWeb, WEB_PROVIDERS } from '../../fakes/search-web.ts';
import {
  type Given,
  libraryOf,
  ofLibrary,
  openSearchOn,
  type SearchWeb,
  source,
} from './support.ts';

let web: SearchWeb;
beforeEach(async () => {
  web = await startSearchWeb();
});
afterEach(() => web[Symbol.asyncDispose]());

const openSearch = (given: Given = {}) => openSearchOn(web, given);
const askedServers = () => web.requests.map(({ provider }) => provider);

describe('which providers are asked', () => {
  it('in auto: what is set up, in its order, and DuckDuckGo last', () => {
    const all = openSearch({ keys: ['brave', 'tavily', 'serper', 'ollama'], searxng: true });
    expect(all.search.providers(false)).toEqual(WEB_PROVIDERS);
    expect(openSearch({ keys: ['serper'] }).search.providers(false)).toEqual([
      'serper',
      'duckduckgo',
    ]);
    const library = libraryOf();
    expect(openSearch({ library }).search.providers(false)).toEqual(['library', 'duckduckgo']);
    expect(openSearch({ library }).search.providers(true)).toEqual(['library']);
    expect(openSearch({ library: libraryOf(undefined, true) }).search.providers(true)).toEqual([]);
  });

  it('the first provider that finds something answers, and no other one gets the query', async () => {
    web.answers.set('brave', [source('a')]);
    const { ask } = openSearch({ keys: ['brave', 'tavily'] });
    expect(await ask()).toEqual({
      results: [
        {
          ...{ url: 'https://a.example/', title: 'a', snippet: 'About a.' },
          ...{ publishedAt: null, provider: 'brave' },
        },
      ],
      asked: ['brave'],
      problems: [],
    });
    expect(askedServers()).toEqual(['brave']);
  });

  it('after a provider that fails or finds nothing the next one is asked, and the problem is reported', async () => {
    web.answers.set('searxng', { status: 403, body: '<html>' });
    web.answers.set('brave', { status: 429, body: '' });
    web.answers.set('tavily', []);
    web.answers.set('duckduckgo', [source('a')]);
    const { ask } = openSearch({ keys: ['brave', 'tavily'], searxng: true });
    const { results, asked, problems } = await ask();
    expect(results.map(({ provider }) => provider)).toEqual(['duckduckgo']);
    expect(asked).toEqual(['searxng', 'brave', 'tavily', 'duckduckgo']);
    expect(askedServers()).toEqual(asked);
    expect(problems).toEqual([
      expect.stringContaining('SearXNG has JSON output turned off'),
      expect.stringContaining('Brave limits the rate'),
    ]);
  });

  it('an empty result is an answer if a provider answered', async () => {
    web.answers.set('duckduckgo', { status: 503, body: '' });
    const { ask } = openSearch({ keys: ['brave'] });
    expect(await ask()).toEqual({
      ...{ results: [], asked: ['brave', 'duckduckgo'] },
      problems: [expect.stringContaining('DuckDuckGo failed')],
    });
  });

  it('if no provider answers, the error says why and what to do', async () => {
    for (const name of WEB_PROVIDERS) web.answers.set(name, { status: 503, body: '' });
    const { ask } = openSearch({ keys: ['brave'] });
    await expect(ask()).rejects.toMatchObject({
      code: 'SEARCH_FAILED',
      message:
        'No search provider answered. Brave failed with a server error (503). Try again later. DuckDuckGo failed with a server error (503). Try again later.',
    });
  });

  it('a provider that the user chose is asked alone, and reported if it is not set up', async () => {
    web.answers.set('tavily', { status: 500, body: '' });
    const chosen = openSearch({
      ...{ keys: ['tavily', 'brave'], library: libraryOf() },
      settings: { searchProvider: 'tavily' },
    });
    await expect(chosen.ask()).rejects.toThrow('Tavily failed with a server error (500)');
    await expect(chosen.ask('x', { provider: 'serper' })).rejects.toThrow(
      'Serper has no key: enter one in the settings, under Search.',
    );
    await expect(chosen.ask('x', { provider: 'searxng' })).rejects.toThrow(
      'SearXNG has no address. Enter the address of a server in the settings, under Search.',
    );
    expect(askedServers()).toEqual(['tavily']);
  });

  it('an empty query is refused before any provider is asked', async () => {
    const { ask } = openSearch();
    await expect(ask(' \n ')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(web.requests).toEqual([]);
  });
});

describe('the library', () => {
  it('is asked along with the web, and their results alternate', async () => {
    web.answers.set('brave', [source('a'), source('b')]);
    const library = libraryOf(async () => [ofLibrary('1.md'), ofLibrary('2.md')]);
    const { ask } = openSearch({ keys: ['brave'], library });
    const { results, asked } = await ask('q', { limit: 3 });
    expect(results.map(({ url }) => url)).toEqual([
      'library:1/1.md',
      'https://a.example/',
      'library:1/2.md',
    ]);
    expect(asked).toEqual(['library', 'brave']);
  });

  it('is asked alone if the user chose it', async () => {
    const { ask } = openSearch({
      ...{ keys: ['brave'], library: libraryOf() },
      settings: { searchProvider: 'library' },
    });
    expect(await ask()).toMatchObject({ asked: ['library'], problems: [] });
    expect(web.requests).toEqual([]);
    const none = openSearch({ settings: { searchProvider: 'library' } });
    await expect(none.ask()).rejects.toThrow('The library is empty: add folders to it.');
  });

  it('that cannot be read does not keep the web from answering; a bug in it is not hidden', async () => {
    web.answers.set('brave', [source('a')]);
    const unreadable = libraryOf(() =>
      Promise.reject(new AppError('LIBRARY_UNREADABLE', 'A folder is gone.')),
    );
    const { ask } = openSearch({ keys: ['brave'], library: unreadable });
    expect(await ask()).toMatchObject({
      results: [{ title: 'a' }],
      problems: ['A folder is gone.'],
    });
    const broken = libraryOf(() => Promise.reject(new TypeError('a bug')));
    await expect(openSearch({ keys: ['brave'], library: broken }).ask()).rejects.toThrow('a bug');
  });
});

describe('answers are kept', () => {
  it('for 15 minutes: the same query costs one request', async () => {
    web.answers.set('brave', [source('a')]);
    const { ask, time } = openSearch({ keys: ['brave'] });
    const first = await ask('High  Tides');
    time.ms = 14 * 60_000;
    expect(await ask(' high tides ')).toEqual(first);
    expect(web.requests).toHaveLength(1);
    await ask('low tides');
    await ask('high tides', { limit: 3 });
    expect(web.requests).toHaveLength(3);
    time.ms = 15 * 60_000;
    await ask('high tides');
    expect(web.requests).toHaveLength(4);
  });

  it('but failures are not, and another provider has answers of its own', async () => {
    web.answers.set('brave', { status: 429, body: '' });
    web.answers.set('duckduckgo', [source('d')]);
    const { ask } = openSearch({ keys: ['brave'] });
    await ask();
    web.answers.set('brave', [source('a')]);
    const { results } = await ask();
    expect(results.map(({ provider }) => provider)).toEqual(['brave']);
    expect(askedServers()).toEqual(['brave', 'duckduckgo', 'brave']);
  });

  it('at most two hundred of them; the oldest go', async () => {
    web.answers.set('brave', [source('a')]);
    const { ask } = openSearch({ keys: ['brave'] });
    for (let i = 0; i <= 200; i += 1) await ask(`question ${i}`);
    await ask('question 1');
    expect(web.requests).toHaveLength(201);
    await ask('question 0');
    expect(web.requests).toHaveLength(202);
  });

  it('a provider whose address the user changed is asked again', async () => {
    web.answers.set('searxng', [source('a')]);
    const { ask, settings } = openSearch({ searxng: true });
    await ask();
    const other = await startSearchWeb();
    other.answers.set('searxng', [source('b')]);
    settings.current = { ...settings.current, searxngUrl: other.urlOf('searxng') };
    expect((await ask()).results.map(({ title }) => title)).toEqual(['b']);
    await other[Symbol.asyncDispose]();
  });
});
