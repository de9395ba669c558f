import { readdirSync } from 'node:fs';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SEARCH_PROVIDERS } from '#contract/search.ts';
import { Settings } from '#contract/settings.ts';
import { searchRequests } from '#main/api/search.ts';
import { systemClock } from '#main/base/clock.ts';
import { KnownSecrets } from '#main/base/known-secrets.ts';
import { REDACTED, Redactor } from '#main/base/redactor.ts';
import { clientOfRun } from '#main/search/search-egress.ts';
import { createSearchProviders, searchKeys } from '#main/search/search-providers.ts';
import { Search } from '#main/search/search-service.ts';
import type { SearchOptions, SearchProvider } from '#main/search/types.ts';
import { startSearchWeb, type WebProvider } from '../../fakes/search-web.ts';
import { type Given, libraryOf, never, openSearchOn, type SearchWeb, source } from './support.ts';

let web: SearchWeb;
beforeEach(async () => {
  web = await startSearchWeb();
});
afterEach(() => web[Symbol.asyncDispose]());

const openSearch = (given: Given = {}) => openSearchOn(web, given);
const askedServers = () => web.requests.map(({ provider }) => provider);

describe('egress', () => {
  const offline: [string, Given][] = [
    ['the switch is off', { settings: { egress: 'offline' } }],
    ['the run may reach nothing', { network: 'offline' }],
  ];
  it.each(offline)(
    '%s: nothing is tried, not even a name, and the library answers',
    async (_name, given) => {
      const keys: WebProvider[] = ['brave', 'tavily', 'serper', 'ollama'];
      const { ask, store, asked } = openSearch({
        ...given,
        keys,
        searxng: true,
        library: libraryOf(),
      });
      expect(await ask()).toMatchObject({ asked: ['library'], results: [{ title: 'notes.md' }] });
      const without = openSearch({ ...given, keys, searxng: true });
      await expect(without.ask()).rejects.toThrow(
        /the network is switched off, and the library is empty/,
      );
      const chosen = { ...given, keys, library: libraryOf() };
      const brave = openSearch({
        ...chosen,
        settings: { ...given.settings, searchProvider: 'brave' },
      });
      expect((await brave.ask()).problems).toEqual([
        'Brave was not asked: the network is switched off.',
      ]);
      for (const one of [{ store, asked }, without, brave]) {
        expect([one.store.lines, one.asked]).toEqual([[], []]);
      }
      expect(web.requests).toEqual([]);
    },
  );

  it('a search that does not know that it is offline does not get out either', async () => {
    const { ask, store, asked } = openSearch({ network: 'offline', keys: ['brave'] });
    await expect(ask('x', { offline: false })).rejects.toThrow(/this task may reach nothing/);
    expect(store.lines.every(({ verdict }) => verdict === 'denied')).toBe(true);
    expect([asked, web.requests]).toEqual([[], []]);
  });

  it('a SearXNG server on this computer or the local network is reachable from a run, also with a list of hosts', async () => {
    web.answers.set('searxng', [source('a')]);
    for (const network of ['open', 'allowlist'] as const) {
      const byName = openSearch({ searxng: true, reachable: false, network });
      expect((await byName.ask()).asked).toEqual(['searxng']);
      const byAddress = openSearch({
        ...{ reachable: false, network },
        settings: { searxngUrl: `http://127.0.0.1:${web.port}` },
      });
      expect((await byAddress.ask()).asked).toEqual(['searxng']);
      expect(byName.store.lines.concat(byAddress.store.lines)).toMatchObject([
        { actor: 'search', runId: 'run_1', host: 'searxng.test', verdict: 'allowed' },
        { actor: 'search', runId: 'run_1', host: '127.0.0.1', verdict: 'allowed' },
      ]);
    }
  });

  it('a provider named by a key is never reached on the local network, whatever its name resolves to', async () => {
    const { ask, store } = openSearch({ keys: ['brave', 'tavily'], reachable: false });
    await expect(ask()).rejects.toThrow(/Brave was not reached: .* not on the public internet/);
    expect(store.lines.map(({ host, verdict, reason }) => [host, verdict, reason])).toEqual([
      ['brave.test', 'denied', 'private_address'],
      ['tavily.test', 'denied', 'private_address'],
      ['duckduckgo.test', 'denied', 'private_address'],
    ]);
    expect(web.requests).toEqual([]);
  });

  it('with a list of hosts, a provider with a key is reached, and DuckDuckGo only if it is listed or approved', async () => {
    web.answers.set('duckduckgo', [source('d')]);
    web.answers.set('brave', { status: 500, body: '' });
    const { ask, run, settings, store } = openSearch({ keys: ['brave'], network: 'allowlist' });
    await expect(ask()).rejects.toThrow(
      /Brave failed.*DuckDuckGo was not reached: .* is not among the allowed hosts/,
    );
    expect(askedServers()).toEqual(['brave']);
    const approved = await ask('x', { egressClient: clientOfRun(run, { approved: true }) });
    expect(approved.asked).toEqual(['brave', 'duckduckgo']);
    settings.current = { ...settings.current, egressHosts: ['duckduckgo.test:*'] };
    expect((await ask('y')).results).toHaveLength(1);
    expect(store.lines.filter(({ verdict }) => verdict === 'denied')).toHaveLength(1);
  });

  it('a search by the user goes to the configured provider, and nowhere while the network is off', async () => {
    web.answers.set('searxng', [source('a')]);
    const { search, egress, settings, store } = openSearch({ searxng: true, reachable: false });
    const api = searchRequests({ search, egress, settings: () => settings.current });
    const found = await api['search.try']({ query: 'tides', limit: 3 }, { closed: never });
    expect(found.asked).toEqual(['searxng']);
    expect(store.lines).toMatchObject([{ actor: 'search', runId: null, verdict: 'allowed' }]);
    settings.current = { ...settings.current, egress: 'offline' };
    await expect(
      api['search.try']({ query: 'tides', limit: 3 }, { closed: never }),
    ).rejects.toThrow(/switched off/);
    expect([store.lines.length, web.requests.length]).toEqual([1, 1]);
  });
});

describe('keys', () => {
  it('that are known are removed from the query', async () => {
    const secrets = new KnownSecrets();
    secrets.register('stored-brave-key');
    const asked: string[] = [];
    const provider: SearchProvider = {
      ...{ name: 'brave', namedBy: 'address', missing: '' },
      hosts: () => [],
      search: async (query) => {
        asked.push(query);
        return [];
      },
    };
    const search = new Search({
      ...{ settings: () => Settings.parse({}), providers: [provider] },
      ...{ library: null, clock: systemClock, secrets },
    });
    await search.search('what is stored-brave-key for', {
      ...{ limit: 1, offline: false, signal: never },
      egressClient: () => ({
        connect: async () => Promise.reject(new Error('nobody')),
        refuse: () => undefined,
      }),
    } as SearchOptions);
    expect(asked).toEqual(['what is [redacted: key] for']);
  });

  it('come from the secret store, else the environment, and every one that is used stays out of logs', () => {
    const redactor = new Redactor();
    const stored = new Map<string, string>([
      [SEARCH_PROVIDERS.brave.key.secret, ' stored-brave-key '],
    ]);
    const keys = searchKeys({
      readSecret: (name) => stored.get(name) ?? null,
      env: { BRAVE_API_KEY: 'other', TAVILY_API_KEY: 'env-tavily-key-4', SERPER_API_KEY: ' ' },
      onSecret: (value) => redactor.register(value),
    });
    expect([keys('brave'), keys('tavily'), keys('serper'), keys('ollama')]).toEqual([
      'stored-brave-key',
      'env-tavily-key-4',
      null,
      null,
    ]);
    expect(redactor.text('a stored-brave-key b env-tavily-key-4')).toBe(
      `a ${REDACTED} b ${REDACTED}`,
    );
  });

  it('never appear in an answer or an error, although every server repeats its own', async () => {
    const wrong = (name: string) => `wrong-${name}-key-77`;
    const search = new Search({
      settings: () => Settings.parse({}),
      providers: web.providers(wrong),
      library: null,
      clock: { now: () => 0, monotonic: () => 0 },
    });
    for (const name of ['searxng', 'duckduckgo'] as const) {
      web.answers.set(name, { status: 500, body: '' });
    }
    const { run } = openSearch();
    const options = { limit: 8, signal: never, offline: false };
    const error = await search
      .search('x', { ...options, egressClient: clientOfRun(run, { approved: true }) })
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'SEARCH_FAILED' });
    const sent = JSON.stringify(web.requests);
    for (const name of ['brave', 'tavily', 'serper', 'ollama']) {
      expect(sent).toContain(wrong(name));
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(wrong(name));
    }
  });

  it('the services of the app are the real ones, a file each', () => {
    const providers = createSearchProviders({
      keyOf: (name) => `key-${name}`,
      searxngUrl: () => 'https://searx.example/path',
    });
    expect(providers.map(({ name, namedBy, hosts }) => [name, namedBy, hosts()])).toEqual([
      ['searxng', 'address', [{ host: 'searx.example', port: 443 }]],
      ['brave', 'key', [{ host: 'api.search.brave.com', port: 443 }]],
      ['tavily', 'key', [{ host: 'api.tavily.com', port: 443 }]],
      ['serper', 'key', [{ host: 'google.serper.dev', port: 443 }]],
      ['ollama', 'key', [{ host: 'ollama.com', port: 443 }]],
      ['duckduckgo', 'nothing', [{ host: 'html.duckduckgo.com', port: 443 }]],
    ]);
    const files = readdirSync('src-main/search/providers').map((file) => file.replace('.ts', ''));
    expect(files.sort()).toEqual(providers.map(({ name }) => name).sort());
  });
});
