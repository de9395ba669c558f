import { afterEach, beforeEach, expect, it } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { Settings } from '#contract/settings.ts';
import type { NetworkPolicy } from '#contract/vocabulary.ts';
import { runSources } from '#main/agents/run-sources.ts';
import { systemClock } from '#main/base/clock.ts';
import { Search } from '#main/search/search-service.ts';
import type { LibraryReader } from '#main/search/types.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import { ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import { testEgress } from '../../fakes/egress.ts';
import { toolBench } from '../../fakes/fake-tools.ts';
import { inlineDocuments } from '../../fakes/inline-documents.ts';
import { memoryJournal } from '../../fakes/memory-journal.ts';
import { noApps } from '../../fakes/no-apps.ts';
import { noBrowsers } from '../../fakes/no-browsers.ts';
import { noEdits } from '../../fakes/no-edits.ts';
import { noImages } from '../../fakes/no-images.ts';
import { noPictures, noScans } from '../../fakes/no-pictures.ts';
import { noSkills } from '../../fakes/no-skills.ts';
import { noSlides } from '../../fakes/no-slides.ts';
import { call } from '../../fakes/scripted-chat-model.ts';
import { keyOf, startSearchWeb, type WebProvider } from '../../fakes/search-web.ts';

let web: Awaited<ReturnType<typeof startSearchWeb>>;
beforeEach(async () => {
  web = await startSearchWeb();
});
afterEach(() => web[Symbol.asyncDispose]());

const library: LibraryReader = {
  isEmpty: false,
  search: async () => [
    {
      ...{ url: 'library:1/notes.md', title: 'Notes', snippet: 'High at noon.' },
      ...{ publishedAt: null, provider: 'library' },
    },
  ],
  read: async (url) => {
    if (url !== 'library:1/notes.md') throw new AppError('NOT_FOUND', 'It is not in the library.');
    return { title: 'Notes', text: 'High at noon.\n'.repeat(6_000) };
  },
};

/** The tools over the real pipeline, the real broker, and services on loopback. */
function openBench({
  network = 'allowlist' as NetworkPolicy,
  keys = [] as WebProvider[],
  hosts = [] as string[],
  catalogue = null as LibraryReader | null,
  approve = 'ask' as 'ask' | 'never',
} = {}) {
  const current = Settings.parse({ egressPrivateHosts: web.privateHosts, egressHosts: hosts });
  const { egress, store, asked } = testEgress({ names: web.names, settings: { current } });
  const search = new Search({
    settings: () => current,
    providers: web.providers(
      (name) => (keys.includes(name) ? keyOf(name) : null),
      () => '',
    ),
    library: catalogue,
    clock: systemClock,
  });
  const parts = {
    ...{ commandTimeoutMs: () => 1000, search, library: catalogue },
    documents: inlineDocuments,
    apps: noApps,
    edits: noEdits,
    slides: noSlides,
    images: noImages,
    skills: noSkills(),
    pictures: noPictures,
    browsers: noBrowsers,
    scans: noScans,
  };
  const tools = new ToolCatalogue(parts).byName;
  const run = egress.forRun({ runId: 'run_1', threadId: 'thr_1', network, allowHosts: [] });
  const bench = toolBench({ approve });
  const commit = (work: () => void): void => work();
  const sources = runSources(memoryJournal().journal, { ...bench.context, commit });
  const start = async (name: string, given: Record<string, unknown>) => {
    const [result] = await executeToolBatch(
      [call('a', name, given)],
      { ...bench.context, egress: run, sources },
      { pipeline: bench.pipeline, tools },
    );
    return result;
  };
  const answer = async (action: 'approve' | 'deny') => {
    const question = await bench.openQuestion();
    const { interruptId, argumentsSha256 = '' } = question;
    bench.broker.respond(
      'run_1',
      interruptId,
      action === 'approve' ? { action, argumentsSha256, always: false } : { action, reason: 'No.' },
    );
    return question;
  };
  const isAsked = () => bench.events.some(({ type }) => type === 'interrupt');
  return { ...bench, store, asked, start, answer, isAsked };
}

const SOURCES = [
  { url: 'https://a.example/tides', title: 'Tides', snippet: 'High at noon.', date: '2026-01-31' },
  { url: 'https://b.example/', title: 'The sea', snippet: 'x'.repeat(600) },
];

it('gives a numbered list to the model, the same as JSON to scripts, and marks it as data', async () => {
  web.answers.set('tavily', SOURCES);
  const bench = openBench({ keys: ['tavily'] });
  const result = await bench.start('web_search', { query: 'tides', limit: 3 });
  expect(result?.status).toBe('ok');
  expect(result?.content).toContain(
    `1. Tides (2026-01-31)\n   https://a.example/tides\n   High at noon.\n2. The sea\n   https://b.example/\n   ${'x'.repeat(400)}…`,
  );
  expect(result?.data).toEqual([
    {
      ...{ url: 'https://a.example/tides', title: 'Tides', snippet: 'High at noon.' },
      ...{ publishedAt: '2026-01-31', provider: 'tavily' },
    },
    {
      ...{ url: 'https://b.example/', title: 'The sea', snippet: 'x'.repeat(600) },
      ...{ publishedAt: null, provider: 'tavily' },
    },
  ]);
  expect(bench.context.taint.sources()).toEqual(['web search']);
  expect(JSON.parse(web.requests[0]?.body ?? '')).toMatchObject({ query: 'tides', max_results: 3 });
});

it('numbers what it finds through the whole run, as sources that answers can cite', async () => {
  const bench = openBench({ keys: ['tavily'], catalogue: library });
  const numbers = async (query: string) => {
    const result = await bench.start('web_search', { query });
    return [...(result?.content ?? '').matchAll(/^(\d+)\. (.+)/gm)].map(([line]) => line);
  };
  web.answers.set('tavily', SOURCES.slice(0, 1));
  const first = await numbers('tides');
  web.answers.set('tavily', SOURCES.toReversed());
  const second = await numbers('the sea');
  await bench.start('fetch_page', { url: 'library:1/notes.md' });
  expect([first, second]).toEqual([
    ['1. Tides (2026-01-31)', '2. Notes'],
    ['3. The sea', '2. Notes', '1. Tides (2026-01-31)'],
  ]);
  const shown = bench.events.flatMap((event) =>
    event.type === 'source'
      ? [[event.index, event.title, event.foundBy, event.isRead, event.toolCallId]]
      : [],
  );
  expect(shown).toEqual([
    [1, 'Tides', 'tavily', undefined, 'a'],
    [2, 'Notes', 'library', undefined, 'a'],
    [3, 'The sea', 'tavily', undefined, 'a'],
    [2, 'Notes', 'library', undefined, 'a'],
    [1, 'Tides', 'tavily', undefined, 'a'],
    [2, 'Notes', 'library', true, 'a'],
  ]);
});

it.each([
  ['the user has a key', { keys: ['brave'] as WebProvider[] }],
  ['its host is on the list', { hosts: ['duckduckgo.test:*'] }],
  ['anything public may be reached', { network: 'open' as const }],
  ['only the library is asked', { network: 'offline' as const, catalogue: library }],
])('asks nobody where %s', async (_name, given) => {
  web.answers.set('brave', SOURCES);
  web.answers.set('duckduckgo', SOURCES);
  const bench = openBench(given);
  const result = await bench.start('web_search', { query: 'tides' });
  expect([result?.status, bench.isAsked()]).toEqual(['ok', false]);
  expect(web.requests.length).toBe('catalogue' in given ? 0 : 1);
  if ('catalogue' in given) expect([bench.store.lines, bench.asked]).toEqual([[], []]);
});

it('under a list of hosts it asks before anything goes to a service that nobody named', async () => {
  web.answers.set('duckduckgo', SOURCES);
  const denied = openBench({ catalogue: library });
  const refused = denied.start('web_search', { query: 'what it knows' });
  expect(await denied.answer('deny')).toMatchObject({
    risk: 'high',
    argumentsText: '{"query":"what it knows"}',
    message:
      'It sends the words of this search to DuckDuckGo (duckduckgo.test). The answer is read as data.',
    rulePatterns: [{ match: 'host', pattern: 'duckduckgo.test' }],
  });
  expect((await refused)?.status).toBe('denied');
  expect([denied.store.lines, web.requests]).toEqual([[], []]);

  const approved = openBench();
  const found = approved.start('web_search', { query: 'tides' });
  await approved.answer('approve');
  expect((await found)?.content).toContain('https://a.example/tides');
  expect(web.requests.map(({ provider }) => provider)).toEqual(['duckduckgo']);

  const never = openBench({ approve: 'never' });
  expect((await never.start('web_search', { query: 'tides' }))?.status).toBe('denied');
  expect(web.requests).toHaveLength(1);
});

it('approval of no provider does not reach DuckDuckGo when the one with a key fails', async () => {
  web.answers.set('brave', { status: 500, body: '' });
  const bench = openBench({ keys: ['brave'] });
  const result = await bench.start('web_search', { query: 'tides' });
  expect([result?.status, bench.isAsked()]).toEqual(['error', false]);
  expect(result?.content).toMatch(/No search provider answered\. Brave failed/);
  expect(web.requests.map(({ provider }) => provider)).toEqual(['brave']);
});

it('says what could not be asked beside what was found, and that nothing was', async () => {
  web.answers.set('brave', { status: 429, body: '' });
  web.answers.set('tavily', SOURCES);
  const bench = openBench({ keys: ['brave', 'tavily'] });
  const result = await bench.start('web_search', { query: 'tides' });
  expect(result?.content).toMatch(/1\. Tides[\s\S]*Note: Brave limits the rate/);
  web.answers.set('tavily', []);
  const nothing = await openBench({ keys: ['tavily'], network: 'open' }).start('web_search', {
    query: 'tides',
  });
  expect(nothing?.content).toContain('Nothing was found for: tides');
});

it('offline without a library it says what to do', async () => {
  const bench = openBench({ network: 'offline', keys: ['brave'] });
  const result = await bench.start('web_search', { query: 'tides' });
  expect(result?.status).toBe('error');
  expect(result?.content).toMatch(/network is switched off.*add folders to the library/);
  expect([bench.store.lines, bench.asked]).toEqual([[], []]);
});

it('fetch_page reads a document of the library where it lies, up to 50,000 characters', async () => {
  const bench = openBench({ network: 'offline', catalogue: library });
  const result = await bench.start('fetch_page', { url: 'library:1/notes.md' });
  expect([result?.status, bench.isAsked()]).toEqual(['ok', false]);
  expect(result?.content).toContain('Notes\n\nHigh at noon.');
  expect(result?.content).toContain('characters left out here');
  expect(result?.content.length).toBeGreaterThan(50_000);
  expect(result?.content.length).toBeLessThan(51_000);
  expect(bench.context.taint.sources()).toEqual(['the library']);
  expect([bench.store.lines, bench.asked]).toEqual([[], []]);

  const missing = await bench.start('fetch_page', { url: 'library:2/none.md' });
  expect([missing?.status, missing?.content]).toEqual([
    'error',
    'The tool failed: It is not in the library.',
  ]);
  const none = await openBench().start('fetch_page', { url: 'library:1/notes.md' });
  expect(none?.content).toBe('The tool failed: There is no library here.');
});
