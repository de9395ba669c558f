import { createServer } from 'node:http';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { Settings } from '#contract/settings.ts';
import type { NetworkPolicy } from '#contract/vocabulary.ts';
import { runSources } from '#main/agents/run-sources.ts';
import { DocumentReader } from '#main/documents/document-reader.ts';
import { executeToolBatch } from '#main/tools/tool-batch.ts';
import { ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import { closeServer, listen } from '../../fakes/addresses/listeners.ts';
import { pdf } from '../../fakes/documents.ts';
import { testEgress } from '../../fakes/egress.ts';
import { noSearch } from '../../fakes/fake-search.ts';
import { toolBench } from '../../fakes/fake-tools.ts';
import { gb18030 } from '../../fakes/library-folder.ts';
import { memoryJournal } from '../../fakes/memory-journal.ts';
import { noApps } from '../../fakes/no-apps.ts';
import { noBrowsers } from '../../fakes/no-browsers.ts';
import { noEdits } from '../../fakes/no-edits.ts';
import { noImages } from '../../fakes/no-images.ts';
import { noPictures, noScans } from '../../fakes/no-pictures.ts';
import { noSkills } from '../../fakes/no-skills.ts';
import { noSlides } from '../../fakes/no-slides.ts';
import { call } from '../../fakes/scripted-chat-model.ts';

const documents = new DocumentReader(process.cwd());
const toolsWith = (reader: DocumentReader) =>
  new ToolCatalogue({
    pictures: noPictures,
    browsers: noBrowsers,
    scans: noScans,
    apps: noApps,
    edits: noEdits,
    slides: noSlides,
    images: noImages,
    skills: noSkills(),
    commandTimeoutMs: () => 1000,
    ...{ search: noSearch, library: null, documents: reader },
  }).byName;
afterAll(() => documents[Symbol.asyncDispose]());

async function openBench({
  network = 'allowlist' as NetworkPolicy,
  hosts = [] as string[],
  tools = toolsWith(documents),
  page = (_url: string): [number, string, string | Buffer] => [200, 'text/html', '<p>Hello</p>'],
} = {}) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const [status, type, body] = page(request.url ?? '');
    const moved = status === 302 ? { location: String(body) } : {};
    response.writeHead(status, { 'content-type': type, ...moved }).end(body);
  });
  const port = await listen(server, '127.0.0.1');
  onTestFinished(() => closeServer(server));
  const names = { 'a.test': ['127.0.0.1'], 'b.test': ['127.0.0.1'], 'far.test': ['127.0.0.2'] };
  const current = Settings.parse({ egressPrivateHosts: ['a.test:*', 'b.test:*'] });
  const bench = toolBench({ approve: 'ask' });
  const commit = (work: () => void): void => work();
  const sources = runSources(memoryJournal().journal, { ...bench.context, commit });
  const rules = bench.rules.list;
  const { egress, store } = testEgress({ names, rules, settings: { current } });
  const run = egress.forRun({
    runId: 'run_1',
    threadId: 'thr_1',
    network,
    allowHosts: hosts.map((h) => `${h}:*`),
  });
  const start = (name: string, given: Record<string, unknown>) =>
    executeToolBatch(
      [call('a', name, given)],
      { ...bench.context, egress: run, sources },
      { pipeline: bench.pipeline, tools },
    );
  const answer = async (action: 'approve' | 'deny') => {
    const question = await bench.openQuestion();
    bench.broker.respond(
      'run_1',
      question.interruptId,
      action === 'approve'
        ? { action, argumentsSha256: question.argumentsSha256 ?? '', always: false }
        : { action, reason: 'No.' },
    );
    return question;
  };
  return { ...bench, start, answer, asked, store, url: (host: string) => `http://${host}:${port}` };
}

it('reads a PDF as text, whatever its server says it is', async () => {
  const paper = pdf(['Bread costs 2 euros since May.'], 'Prices of bread');
  const bench = await openBench({
    hosts: ['a.test'],
    page: () => [200, 'application/octet-stream', paper],
  });
  const [result] = await bench.start('fetch_page', { url: `${bench.url('a.test')}/paper` });
  expect(result?.status).toBe('ok');
  expect(result?.content).toContain('Bread costs 2 euros since May.');
});

it('asks a page again whose server is busy for the moment, and says so', async () => {
  let asked = 0;
  const bench = await openBench({
    hosts: ['a.test'],
    page: () => {
      asked += 1;
      return asked === 1 ? [503, 'text/html', '<p>Busy</p>'] : [200, 'text/html', '<p>Hello</p>'];
    },
  });
  const [result] = await bench.start('fetch_page', { url: bench.url('a.test') });
  const stages = bench.events.flatMap((one) => (one.type === 'stage' ? [one.description] : []));
  expect([result?.status, asked, stages[0]]).toEqual([
    ...['ok', 2],
    'fetch_page failed for the moment and is tried again: The server answered 503.',
  ]);
});

it.each([
  ['deny', 'far.test', 'open', '/to-far', 'far.test', 'A rule of the user denies it.'],
  ['deny', '*.test', 'open', '/to-far', 'far.test', null],
  ['deny', 'b.test', 'open', '/', 'a.test', 'It has the address of b.test'],
  ['deny', '127.0.0.1', 'open', '/', 'a.test', 'It has the address of 127.0.0.1'],
  ['ask', 'far.test', 'open', '/to-far', 'far.test', 'a rule of the user says to ask about it'],
  ['ask', 'far.test', 'allowlist', '/to-far', 'far.test', 'a rule of the user says to ask'],
] as const)(
  'a rule to %s %s holds in a network that is %s, for what redirects and aliases lead to',
  async (decision, pattern, network, path, host, message) => {
    const bench = await openBench({
      ...{ network, hosts: ['a.test', 'b.test', 'far.test'] },
      page: () => [302, 'text/html', bench.url('far.test')],
    });
    bench.rules.put({
      ...{ toolName: 'fetch_page', match: 'host', threadId: null },
      ...{ decision, pattern },
    });
    const [result] = await bench.start('fetch_page', { url: `${bench.url('a.test')}${path}` });
    expect(result?.status).toBe(message === null ? 'denied' : 'error');
    expect(result?.content).toContain(message ?? 'A rule of the user denies this.');
    const denied = bench.store.lines.filter(({ verdict }) => verdict === 'denied');
    expect(denied.map((line) => line.host)).toEqual(message === null ? [] : [host]);
    expect(bench.asked).toEqual(message !== null && path === '/to-far' ? ['/to-far'] : []);
  },
);

it('reads a page of a listed host without asking, as text that is marked as data', async () => {
  const html =
    '<html><head><title>T</title><style>x{}</style></head><body><nav>menu</nav><h1>Prices</h1><p>Bread <b>2</b> €</p><a href="/more">more</a><script>alert(1)</script><img src="http://b.test/pixel"></body></html>';
  const bench = await openBench({ hosts: ['a.test'], page: () => [200, 'text/html', html] });
  const [result] = await bench.start('fetch_page', { url: `${bench.url('a.test')}/prices` });
  expect(result?.data).toBe('Prices\n\nBread 2 €\n\nmore [/more]');
  expect(result?.content).toContain('Bread 2 €');
  expect(result?.content).not.toBe(result?.data);
  expect(bench.asked).toEqual(['/prices']);
  expect(bench.context.taint.sources()).toEqual([new URL(bench.url('a.test')).host]);
  expect(bench.events.some(({ type }) => type === 'interrupt')).toBe(false);
});

const utf16 = '<meta charset="utf-16"><p>grün</p>';
const aspPage =
  '<form id="aspnetForm"><p>The ferry leaves at noon.</p><select><option>English</select></form>';
const scripted = '<div id="root"></div><script src="/app.js"></script>';
const half = `<p>word</p><script>${'word '.repeat(1_200_000)}</script>`;

it.each([
  ['of which a form is all', 'text/html', aspPage, /^The ferry leaves at noon\.$/],
  ['that claims UTF-16 in ASCII', 'text/html', utf16, /^grün$/],
  ['that says where its charset is', 'text/html; charset="gbk"', gb18030('<p>龙潭</p>'), /^龙潭$/],
  ['that is said to be plain text', 'text/plain', '<!doctype html><p>Hello', /^Hello$/],
  ['of more than is kept', 'text/html', half, /^word\n\[The page is longer\.\]$/],
  ['that scripts make', 'text/html', scripted, /^$/],
])('reads a page %s', async (_what, type, body, text) => {
  const bench = await openBench({ hosts: ['a.test'], page: () => [200, type, body] });
  const [result] = await bench.start('fetch_page', { url: `${bench.url('a.test')}/page` });
  expect(result?.status).toBe('ok');
  expect(result?.data).toMatch(text);
  if (result?.data === '') expect(result.content).toContain('There is no text on this page');
});

it('reads a paper that is larger than a page may be, by what its address says of it', async () => {
  const paper = Buffer.concat([pdf(['Bread costs 2 euros.'], 'P'), Buffer.alloc(6 * 1024 * 1024)]);
  const bench = await openBench({
    hosts: ['a.test'],
    page: (url) => [200, url === '/x' ? 'application/pdf' : 'binary/octet-stream', paper],
  });
  for (const path of ['/x', '/paper.pdf']) {
    const [result] = await bench.start('fetch_page', { url: bench.url('a.test') + path });
    expect([path, result?.data]).toEqual([path, expect.stringContaining('Bread costs 2 euros.')]);
  }
});

it('a page that never ends costs neither the app nor the next page its time', async () => {
  const slow = '<b>'.repeat(600_000) + '</i>'.repeat(600_000);
  // Too large to be read without the thread.
  const usual = `<p>Hello</p><script>${'x'.repeat(10_000)}</script>`;
  const limited = new DocumentReader(process.cwd(), { timeMs: 8_000 });
  onTestFinished(() => limited[Symbol.asyncDispose]());
  const bench = await openBench({
    hosts: ['a.test'],
    tools: toolsWith(limited),
    page: (url) => [200, 'text/html', url === '/slow' ? slow : usual],
  });
  const own = process.threadCpuUsage();
  const [first, second] = await Promise.all(
    ['/slow', '/'].map((path) => bench.start('fetch_page', { url: bench.url('a.test') + path })),
  );
  const { user, system } = process.threadCpuUsage(own);
  expect([first?.[0]?.status, second?.[0]?.data]).toEqual(['error', 'Hello']);
  expect(first?.[0]?.content).toMatch(
    /could not be converted to text: Reading it took longer than/,
  );
  // Processor time of this thread, which other programs have no part in; the page takes hours.
  expect((user + system) / 1e6).toBeLessThan(3);
});

it('asks about any other, with the whole address, and reaches that host and no other by the yes', async () => {
  const bench = await openBench();
  const denied = bench.start('fetch_page', { url: `${bench.url('a.test')}/?q=what-it-knows` });
  const question = await bench.answer('deny');
  expect(question).toMatchObject({
    risk: 'high',
    argumentsText: JSON.stringify({ url: `${bench.url('a.test')}/?q=what-it-knows` }),
    message: expect.stringContaining('It requests this address from a.test'),
  });
  expect([(await denied)[0]?.status, bench.asked]).toEqual(['denied', []]);

  const other = await openBench({
    page: (url) =>
      url === '/go' ? [302, 'text/plain', other.url('b.test')] : [200, 'text/plain', 'x'],
  });
  const moved = other.start('fetch_page', { url: `${other.url('a.test')}/go` });
  await other.answer('approve');
  const [result] = await moved;
  expect(result?.status).toBe('error');
  expect(result?.content).toMatch(
    /b\.test:\d+ is not among the allowed hosts.*call fetch_page with that address/,
  );
  expect(other.asked).toEqual(['/go']);
  expect(other.store.lines.map(({ host, verdict }) => [host, verdict])).toEqual([
    ['a.test', 'allowed'],
    ['b.test', 'denied'],
  ]);
});

it.each([
  ['offline', 'the files of the task and nothing else'],
  ['allowlist', 'send to the hosts that the task may reach'],
  ['open', 'send to anything public'],
] as const)(
  'the notice says exactly what approving a command allows: %s',
  async (network, words) => {
    const bench = await openBench({ network });
    const running = bench.start('shell_command', { command: 'true' });
    expect((await bench.answer('deny')).message).toContain(words);
    await running;
  },
);

it('a page that was read is a source; one that was not is none', async () => {
  const html = '<title>The tides</title><h1>High water</h1><p>At noon.</p>';
  const page = (url: string): [number, string, string] =>
    url === '/gone' ? [404, 'text/html', html] : [200, 'text/html', html];
  const bench = await openBench({ network: 'open', page });
  await bench.start('fetch_page', { url: `${bench.url('a.test')}/gone` });
  await bench.start('fetch_page', { url: `${bench.url('a.test')}/tides` });
  await bench.start('fetch_page', { url: 'javascript:alert(1)' });
  expect(bench.events.filter(({ type }) => type === 'source')).toEqual([
    {
      ...{ type: 'source', index: 1, url: `${bench.url('a.test')}/tides`, toolCallId: 'a' },
      ...{ title: expect.stringMatching(/The tides|High water/), isRead: true },
    },
  ]);
});

it('says in plain words what cannot be read', async () => {
  const page = (url: string): [number, string, string] =>
    url === '/zip' ? [200, 'application/zip', 'PK\0\0'] : [404, 'text/plain', 'not here'];
  const bench = await openBench({ network: 'open', page });
  const read = async (url: string) => (await bench.start('fetch_page', { url }))[0];
  expect((await read(`${bench.url('a.test')}/none`))?.content).toContain(
    'The server answered 404.',
  );
  expect((await read(`${bench.url('a.test')}/zip`))?.content).toContain(
    'is not text (application/zip',
  );
  expect((await read('ftp://a.test/x'))?.content).toContain('must begin with http:// or https://');
  expect((await read('http://nowhere.test/'))?.content).toContain('nowhere.test has no address');
});
