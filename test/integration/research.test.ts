import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openAppBench, type PlayedRun } from '../fakes/app-bench.ts';
import type { DirectedReply, DirectedRequest } from '../fakes/directed-model.ts';
import { type FixtureWeb, startFixtureWeb } from '../fakes/fixture-web/server.ts';
import { writeLibraryFolder } from '../fakes/library-folder.ts';
import { researchRule } from '../fakes/research-model.ts';

/** Research through the whole app: its own search, pages, guardrails, broker and log, over loopback. */

const QUESTION =
  'What is the installed capacity of the Norvik tidal power station, and what did it cost to build?';

const rule = researchRule();
const plain = (messages: DirectedRequest['messages']) =>
  messages.map(({ role, content = '' }) => ({ role, content }));
/** Whatever asks for a schema is research; the rest is the executor. */
const researching =
  (executor: (request: DirectedRequest) => DirectedReply) =>
  (request: DirectedRequest): DirectedReply =>
    request.format === null
      ? executor(request)
      : { content: rule({ messages: plain(request.messages), format: request.format }) };

async function openWeb(): Promise<FixtureWeb> {
  const web = await startFixtureWeb({ leaveOut: ['slow'] });
  onTestFinished(() => web[Symbol.asyncDispose]());
  return web;
}

const overWeb = (web: FixtureWeb) => ({
  ...{ searchProvider: 'searxng', searxngUrl: web.searchUrl },
  ...{ egressPrivateHosts: ['127.0.0.1:*'], researchPageSeconds: 10 },
});

const squeeze = (text: string): string => text.replace(/\s+/g, ' ');

/** Every citation leads to an excerpt, and every excerpt stands in what was read. */
function expectResolved({ of }: PlayedRun): void {
  const [report] = of('report');
  const excerpts = new Map<string, string>();
  for (const { index, excerpts: given = [] } of of('source')) {
    for (const { number, text } of given) excerpts.set(`${index} ${number}`, text);
  }
  expect(report?.citations.length).toBeGreaterThan(2);
  const cited = report?.citations.map(
    ({ sourceIndex, excerptNumber }) => excerpts.get(`${sourceIndex} ${excerptNumber}`) ?? '',
  );
  expect(cited).not.toContain('');
  const read = squeeze(
    of('tool_result')
      .map(({ content }) => content)
      .join('\n'),
  );
  for (const text of cited ?? []) expect(read).toContain(squeeze(text));
  const numbers = [...(report?.markdown ?? '').matchAll(/\[(\d+)\](?!\()/g)].map(([, n]) =>
    Number(n),
  );
  const known = new Set(report?.citations.map(({ sourceIndex }) => sourceIndex));
  expect(numbers.filter((number) => !known.has(number))).toEqual([]);
}

describe('research', () => {
  it('searches, reads, names what contradicts, and cites what it read; no page is obeyed', async () => {
    const web = await openWeb();
    const bench = await openAppBench(
      researching(() => ({ content: 'No.' })),
      overWeb(web),
    );
    const played = await bench.play(QUESTION, { mode: 'research', network: 'open' });
    const { run, of, answer } = played;
    expect([run.status, run.error]).toEqual(['completed', null]);
    expectResolved(played);
    expect(answer).toMatch(/320 MW/);
    expect(of('report')[0]?.contradictions.join(' ')).toMatch(/320 MW.*340 MW|340 MW.*320 MW/);
    expect(of('routing').map(({ route, agent }) => [route, agent])).toEqual([
      ['research', 'research'],
    ]);
    expect(new Set(of('tool_call').map(({ name }) => name))).toEqual(
      new Set(['web_search', 'fetch_page']),
    );
    expect(of('knowledge_update').at(-1)?.coverage).toBeGreaterThan(0);
    const file = of('report')[0]?.path ?? '';
    expect(await bench.file(run.threadId, file)).toBe(of('report')[0]?.markdown);
    // No page is read twice, whatever it is called; one whose connection was cut is tried once more.
    const pages = web.requests
      .filter(({ host, path }) => host !== 'search' && path !== '/norvik-gone')
      .map(({ host, path }) => host + path);
    expect(new Set(pages).size).toBe(pages.length);
  });

  it('works without a network, from 200 files of the person', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hyperagent-library-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const facts = await writeLibraryFolder(folder, 200);
    const bench = await openAppBench(
      researching(() => ({ content: 'No.' })),
      { egress: 'offline' },
    );
    const { api } = bench.app;
    await api['library.add']({ path: folder });
    await bench.app.library.settled();
    expect(api['library.list']().folders[0]).toMatchObject({ files: 200, indexed: 200 });
    const asked = [
      facts.find(({ language }) => language === 'en'),
      facts.find(({ language }) => language === 'zh'),
    ];
    for (const fact of asked) {
      if (fact === undefined) throw new Error('The folder has no such file');
      const played = await bench.play(fact.query, {
        mode: 'research',
        network: 'offline',
        researchDepth: 'fast',
      });
      expect([played.run.status, played.run.error]).toEqual(['completed', null]);
      expect(
        squeeze(
          played
            .of('source')
            .flatMap(({ excerpts = [] }) => excerpts.map(({ text }) => text))
            .join(' '),
        ),
      ).toContain(squeeze(fact.answer));
      expect(played.of('source').every(({ url }) => url.startsWith('library:'))).toBe(true);
    }
    expect(
      bench.app.api['egress.list']({}).connections.filter(({ actor }) => actor !== 'model'),
    ).toEqual([]);
  });

  it('is handed tasks by the executor, as often as the settings let it, with files, and gives the report back', async () => {
    const web = await openWeb();
    let handed = 0;
    const bench = await openAppBench(
      researching(({ results }) => {
        if (handed === 2) return { content: `Handed over: ${results.at(-1)?.slice(0, 200)}` };
        handed += 1;
        const write = {
          operation: 'write',
          path: 'notes.md',
          content: 'Norvik cost 1.9 billion crowns, says a note.',
        };
        const task = { task: QUESTION, artifacts: ['*.md'] };
        return handed === 1
          ? {
              calls: [
                { name: 'sandbox_file', arguments: write },
                ...Array.from({ length: 2 }, () => ({
                  name: 'delegate_to_research',
                  arguments: task,
                })),
              ],
            }
          : { calls: [{ name: 'handoff_to_research', arguments: task }] };
      }),
      { ...overWeb(web), researchDepth: 'fast', maxHandoffs: 2 },
    );
    const { run, of, answer } = await bench.play('Find out about it and tell me.', {
      network: 'open',
    });
    expect(run.status).toBe('completed');
    expect(
      of('handoff').map(({ from, to, artifacts }) => [from, to, artifacts.length > 0]),
    ).toEqual([
      ['executor', 'research', true],
      ['research', 'executor', true],
      ['executor', 'research', true],
      ['research', 'executor', true],
    ]);
    expect(of('report').length).toBe(2);
    expect(of('source').some(({ url }) => url === 'workspace:/notes.md')).toBe(true);
    expect(
      of('tool_result').find(({ name }) => name === 'delegate_to_research')?.content,
    ).toContain('320 MW');
    expect(answer).toContain('which is the limit');
    // The research is a call of the conversation, and no message in it.
    const { messages } = bench.app.api['threads.get']({ threadId: run.threadId });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('is the route of an uncertain task that begins by handing over, and the executor goes on with the report', async () => {
    const web = await openWeb();
    const first: DirectedReply = {
      calls: [{ name: 'delegate_to_research', arguments: { task: QUESTION } }],
    };
    const bench = await openAppBench(
      researching(({ results }) => (results.length === 0 ? first : { content: 'It has 320 MW.' })),
      { ...overWeb(web), researchDepth: 'fast' },
    );
    const { run, of } = await bench.play('Norvik, that power plant by the sea', {
      network: 'open',
    });
    expect(run.status).toBe('completed');
    expect(of('routing').map(({ route, reason }) => [route, reason])).toEqual([
      ['uncertain', expect.stringMatching(/^The wording does not say/)],
      ['research', 'The model began by handing the question over to research.'],
    ]);
    expect([of('handoff').length, of('report').length]).toEqual([2, 1]);
  });
});
