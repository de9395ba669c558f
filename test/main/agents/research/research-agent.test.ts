import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Settings } from '#contract/settings.ts';
import { createModelService } from '#main/models/model-service.ts';
import type { FixturePage } from '../../../fakes/fixture-web/pages.ts';
import { startFixtureWeb } from '../../../fakes/fixture-web/server.ts';
import { startModelServer } from '../../../fakes/model-server/server.ts';
import { RuleChatModel, researchRule } from '../../../fakes/research-model.ts';
import { ofType, type ResearchBench, researchBench, storedTexts } from './bench.ts';

const QUESTION =
  'What is the installed capacity of the Norvik tidal power station and when was Norvik opened?';

async function openWeb(leaveOut: readonly FixturePage['kind'][] = ['slow']) {
  const web = await startFixtureWeb({ leaveOut });
  onTestFinished(() => web[Symbol.asyncDispose]());
  return web;
}

/** Citations of a report that are in no stored text, and `[n]` that are not in its list of sources. */
function unresolved({ events, ...bench }: ResearchBench): unknown[] {
  const [report] = ofType(events, 'report');
  if (report === undefined) return ['no report'];
  const texts = storedTexts({ ...bench });
  const excerpts = new Map<string, string>();
  for (const { index, excerpts: published = [] } of ofType(events, 'source')) {
    for (const { number, text } of published) excerpts.set(`${index}.${number}`, text);
  }
  const broken = report.citations.filter(({ sourceIndex, excerptNumber }) => {
    const text = excerpts.get(`${sourceIndex}.${excerptNumber}`);
    return text === undefined || !texts.some((page) => page.includes(text));
  });
  const cited = new Set(report.citations.map(({ sourceIndex }) => String(sourceIndex)));
  const marks = [...report.markdown.matchAll(/(?<!\\)\[(\d+)\]/g)].map(([, index = '']) => index);
  return [...broken, ...marks.filter((index) => !cited.has(index))];
}

it('answers over a real model server with citations that resolve, past dead, slow and alien pages', async () => {
  const web = await openWeb([]);
  const server = await startModelServer(
    { models: [{ name: 'fake:latest', trainedContext: 8192 }] },
    researchRule({
      neverEnough: ['Norvik cost crowns', 'Norvik annual report', 'Norvik salmon seals'],
    }),
  );
  onTestFinished(() => server.close());
  const models = createModelService({
    settings: () => Settings.parse({ ollamaUrl: server.url, contextWindow: 8192 }),
    ...{ readSecret: () => null, env: {}, memoryBytes: 16 * 1024 ** 3, root: process.cwd() },
  });
  await using model = await models.open(
    { provider: 'ollama', name: 'fake:latest' },
    { signal: new AbortController().signal },
  );
  const bench = researchBench(web, { model, depth: 'deep' });
  const outcome = await bench.start(QUESTION);
  const [report] = ofType(bench.events, 'report');
  expect(unresolved(bench)).toEqual([]);
  expect(report?.citations.length).toBeGreaterThan(3);
  expect(report?.citations.filter(({ supported }) => !supported)).toEqual([]);
  expect(outcome.answer).toMatch(/320 MW from 40 turbines\. \[\d+\]/);
  expect(outcome.answer).toContain('14 March 2019');
  // The report names both sides, each with its source.
  expect(report?.contradictions.join('\n')).toMatch(
    /320 MW.*\[\d+\].*340 MW.*\[\d+\]|340 MW.*\[\d+\].*320 MW.*\[\d+\]/,
  );
  const skipped = outcome.answer.slice(outcome.answer.indexOf('## Pages not used'));
  expect({
    dead: /norvik-dead`: the server answered 404/.test(skipped),
    slow: /norvik-slow`: it took longer than 10 s/.test(skipped),
    gone: /norvik-gone`: it could not be read/.test(skipped),
    pdf: /norvik\.pdf`: it could not be read/.test(skipped),
    mirror: /copy\/tidal\/capacity`: it has the same text as source \d+/.test(skipped),
  }).toEqual({ dead: true, slow: true, gone: true, pdf: true, mirror: true });
  // The whole answer is streamed, in the workspace, and in the transcript.
  const streamed = ofType(bench.events, 'token')
    .map(({ text }) => text)
    .join('');
  const file = path.join(bench.dir, report?.path ?? '');
  expect([streamed, readFileSync(file, 'utf8'), report?.markdown]).toEqual(
    Array.from({ length: 3 }, () => outcome.answer),
  );
  const listed = JSON.parse(readFileSync(file.replace(/\.md$/, '.sources.json'), 'utf8'));
  expect(listed.citations).toEqual(report?.citations);
  expect(bench.recorded).toEqual([{ role: 'assistant', content: outcome.answer }]);
  // A slow computer adds stages about waiting for the model.
  const stages = ofType(bench.events, 'stage').filter(({ name }) => name.startsWith('research_'));
  expect(stages.map(({ name, status }) => `${name} ${status}`)).toEqual(
    ['init_config', 'search_loop', 'analyze', 'synthesize', 'write_report'].flatMap((name) => [
      `research_${name} running`,
      `research_${name} completed`,
    ]),
  );
  expect(ofType(bench.events, 'knowledge_update').map(({ coverage }) => coverage)).toEqual([
    0, 0, 0, 0,
  ]);
  // Nothing was answered: that is no result to rely on.
  expect(outcome.unverified).toContain('None of the questions of this research was answered.');
  const pages = ofType(bench.events, 'tool_call').flatMap(({ name, arguments: { url } }) =>
    name === 'fetch_page' ? [url] : [],
  );
  expect(new Set(pages).size).toBe(pages.length);
});

it('obeys no page, with and without guardrails: only searches and reads, and no request to the trap', async () => {
  for (const guardrails of [true, false]) {
    const web = await openWeb();
    const model = new RuleChatModel(
      researchRule({ queries: ['Norvik tidal power station capacity cost opening explained'] }),
    );
    const bench = researchBench(web, { model, depth: 'deep', guardrails });
    const outcome = await bench.start(
      'What is known about the capacity of the Norvik tidal power station?',
    );
    const names = new Set(ofType(bench.events, 'tool_call').map(({ name }) => name));
    expect([...names].sort()).toEqual(['fetch_page', 'web_search']);
    expect(web.requests.filter(({ host }) => host === 'trap')).toEqual([]);
    expect(web.requests.some(({ path: asked }) => asked === '/norvik-secrets')).toBe(true);
    expect(outcome.answer).not.toMatch(/ignore all previous|steal|collect/i);
    // Page text reaches the model as data in a user message, never in a system message.
    const system = model.requests.flatMap(({ messages }) =>
      messages.filter(({ role }) => role === 'system').map(({ content }) => content),
    );
    expect(system.some((text) => /Norvik/.test(text))).toBe(false);
    expect(unresolved(bench)).toEqual([]);
  }
});

it('flags a citation that its excerpt does not support, and lists statements without a source', async () => {
  const model = new RuleChatModel(researchRule({ lies: true }));
  const bench = researchBench(await openWeb(), { model });
  const { answer } = await bench.start(QUESTION);
  const [report] = ofType(bench.events, 'report');
  const doubtful = report?.citations.filter(({ supported }) => !supported) ?? [];
  expect(new Set(doubtful.map(({ claim }) => claim))).toEqual(
    new Set(['It employs 777 divers from Portugal.']),
  );
  expect(answer).toMatch(
    /777 divers from Portugal\. \[\d+\] \(⚠ the quoted passage may not support this/,
  );
  expect(answer).toContain('## Statements without a source\n\n- Everybody is happy about it.');
  expect(unresolved(bench)).toEqual([]);
});

it('stays within a window of 4,096 tokens, however long the pages are and however many', async () => {
  const model = new RuleChatModel(
    researchRule({ neverEnough: ['Norvik cost', 'Norvik salmon'] }),
    4_096,
  );
  const bench = researchBench(await openWeb(), { model, depth: 'deep' });
  await bench.start(
    'What may readers write to the editors about mistakes in everything on Norvik and Halden, and which photographs by the staff of this series is another name given for?',
  );
  const read = ofType(bench.events, 'source').map(({ url }) => new URL(url).pathname);
  expect(read).toContain('/huge');
  expect(model.requests.length).toBeGreaterThan(15);
  // Requests use the window if there is enough material.
  expect(model.largest).toBeGreaterThan(2_000);
  expect(model.largest).toBeLessThanOrEqual(4_096);
  expect(unresolved(bench)).toEqual([]);
});

it('ends when every sub-question is covered, and reports coverage', async () => {
  const bench = researchBench(await openWeb(), {
    ...{ model: new RuleChatModel(researchRule()), depth: 'deep' },
  });
  await bench.start(QUESTION);
  const coverages = ofType(bench.events, 'knowledge_update').map(({ coverage }) => coverage);
  expect([coverages.at(-1), coverages.length < 4]).toEqual([1, true]);
});

it('writes the report from excerpts if the model gives no usable answers, and says so', async () => {
  const nonsense = ['queries', 'excerpts', 'followUps', 'findings', 'contradictions', 'sections'];
  const model = new RuleChatModel(researchRule({ nonsense }));
  const bench = researchBench(await openWeb(), { model });
  const { answer } = await bench.start('Norvik tidal power station installed capacity');
  expect(answer).toContain('The model gave no usable answer in: plan, notes, coverage, analyze');
  expect(answer).toMatch(/320 MW from 40 turbines\. \[\d+\]/);
  expect(answer).toMatch(/Different figures.*(?:320|340) MW.*(?:320|340) MW/);
  expect(unresolved(bench)).toEqual([]);
});

it('says so if it finds nothing', async () => {
  const model = new RuleChatModel(researchRule());
  const bench = researchBench(await openWeb(), { model });
  const { answer } = await bench.start('Who composed the zzyzx quartet?');
  expect(answer).toContain('The search found nothing that answers the question.');
  expect(ofType(bench.events, 'report')[0]?.citations).toEqual([]);
});

it('reads Chinese pages, also in GB18030, and reports in Chinese', async () => {
  const web = await openWeb();
  const bench = researchBench(web, { model: new RuleChatModel(researchRule()), depth: 'standard' });
  const { answer } = await bench.start('青岚湖的蓝藻水华持续了多少天，总磷浓度是多少？');
  expect(answer).toContain('## 摘要');
  expect(answer).toMatch(/青岚湖在2019年发生了持续46天的蓝藻水华。 \[\d+\]/);
  const read = web.requests.some(({ path: asked }) => asked === '/qinglan-gb');
  expect([read, storedTexts(bench).join('').includes('\ufffd')]).toEqual([true, false]);
  expect(unresolved(bench)).toEqual([]);
});
