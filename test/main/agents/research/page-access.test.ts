import { expect, it, onTestFinished } from 'vitest';
import type { ApprovalPolicy, NetworkPolicy } from '#contract/vocabulary.ts';
import { targetOfUrl } from '#main/egress/target.ts';
import { RunParked } from '#main/hitl/types.ts';
import { testEgress } from '../../../fakes/egress.ts';
import { startFixtureWeb } from '../../../fakes/fixture-web/server.ts';
import { RuleChatModel, researchRule } from '../../../fakes/research-model.ts';
import { ofType, researchBench } from './bench.ts';

const QUESTION = 'Norvik tidal power station installed capacity';

async function openBench(
  network: NetworkPolicy,
  approve: ApprovalPolicy,
  { attended = true } = {},
) {
  const web = await startFixtureWeb({ leaveOut: ['slow'] });
  onTestFinished(() => web[Symbol.asyncDispose]());
  const model = new RuleChatModel(
    researchRule({ neverEnough: ['Norvik turbines', 'Norvik cost'] }),
  );
  const bench = researchBench(web, { model, network, approve, attended });
  const pagesAsked = () => web.requests.filter(({ host }) => host !== 'search').length;
  return { ...bench, web, pagesAsked };
}

it('asks once whether found pages may be read, and reads them after an approval', async () => {
  const bench = await openBench('allowlist', 'ask');
  const running = bench.start(QUESTION);
  await expect.poll(() => ofType(bench.events, 'interrupt').length).toBe(1);
  const [question] = ofType(bench.events, 'interrupt');
  expect([question?.kind, bench.pagesAsked()]).toEqual(['confirm', 0]);
  bench.broker.respond('run_1', question?.interruptId ?? '', { action: 'confirm' });
  const { answer } = await running;
  expect(answer).toContain('320 MW');
  expect(bench.pagesAsked()).toBeGreaterThan(4);
  expect(ofType(bench.events, 'interrupt').length).toBe(1);
});

it('uses search snippets after a denial, and says so', async () => {
  const bench = await openBench('allowlist', 'ask');
  const running = bench.start(QUESTION);
  await expect.poll(() => ofType(bench.events, 'interrupt').length).toBe(1);
  const [question] = ofType(bench.events, 'interrupt');
  bench.broker.respond('run_1', question?.interruptId ?? '', { action: 'deny', reason: '' });
  const { answer, unverified } = await running;
  expect([bench.pagesAsked(), ofType(bench.events, 'interrupt').length]).toEqual([0, 1]);
  expect(answer).toContain('Reading the pages was not allowed');
  // What was refused was not read.
  expect(answer).toMatch(/Sources read: 0\. Not read, known from search results only: [1-9]/);
  expect(answer).toContain('(search result only, page not read)');
  expect(unverified).toContain('No page was read.');
  expect(answer).toMatch(/320 MW from 40 turbines/);
});

it('does not ask with the policies never and all, or in an open network', async () => {
  for (const [network, approve, reads] of [
    ['allowlist', 'never', false],
    ['allowlist', 'all', true],
    ['open', 'ask', true],
  ] as const) {
    const bench = await openBench(network, approve);
    await bench.start(QUESTION);
    expect([network, approve, bench.pagesAsked() > 0, ofType(bench.events, 'interrupt')]).toEqual([
      ...[network, approve, reads],
      [],
    ]);
  }
});

it('parks if nobody can answer, and uses the answer when it resumes', async () => {
  const bench = await openBench('allowlist', 'ask', { attended: false });
  await expect(bench.start(QUESTION)).rejects.toThrow(RunParked);
  const [question] = ofType(bench.events, 'interrupt');
  bench.broker.respond('run_1', question?.interruptId ?? '', { action: 'confirm' });
  const { answer } = await bench.start(QUESTION, { resumed: true });
  expect([answer.includes('320 MW'), ofType(bench.events, 'interrupt').length]).toEqual([true, 1]);
});

it('grants pages to the reader only, and no private address', async () => {
  const { egress } = testEgress({ names: { 'a.test': ['10.0.0.7'] } });
  using run = egress.forRun({
    runId: 'run_1',
    threadId: 'thr_1',
    network: 'allowlist',
    allowHosts: [],
  });
  const [found, inside] = ['http://a.test/page', 'http://127.0.0.1:9/'].map((address) =>
    targetOfUrl(new URL(address)),
  );
  if (found === undefined || inside === undefined) throw new Error('no targets');
  const { signal } = new AbortController();
  expect(run.allows(found)).toBe(false);
  run.grant([found, inside]);
  expect([
    run.allows(found),
    run.allows({ ...found, port: 443 }),
    run.allows({ ...found, port: 22 }),
  ]).toEqual([true, true, false]);
  for (const target of [found, inside]) {
    await expect(run.client('fetch').connect(target, signal)).rejects.toMatchObject({
      reason: 'private_address',
    });
    await expect(run.client('sandbox').connect(target, signal)).rejects.toMatchObject({
      reason: 'not_listed',
    });
  }
});
