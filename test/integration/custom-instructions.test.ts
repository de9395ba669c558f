import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withUserInstructions } from '#main/agents/user-instructions.ts';
import { openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply, DirectedRequest } from '../fakes/directed-model.ts';
import { DONE, file, plan, roleOf, TASK, writeFileOfStep } from '../fakes/planned-task.ts';

/** What the user wrote for every task, as it goes over the wire. */

const FRENCH = 'Always answer in French.';
const DUTCH = 'Always answer in Dutch.';
const rules = (name: string): string => readFileSync(`resources/prompts/${name}.md`, 'utf8').trim();

const PAIR = plan([
  { id: 'a', title: 'Make sales.txt', evidence: [file('sales.txt')] },
  { id: 'b', title: 'Make costs.txt', evidence: [file('costs.txt')] },
]);

function direct(request: DirectedRequest): DirectedReply {
  switch (roleOf(request)) {
    case 'planner':
      return PAIR;
    case 'judge':
      return DONE;
    case 'final':
      return { content: 'As far as it goes.' };
    case 'step':
      return writeFileOfStep(request);
  }
}

/** The system prompts of each role, each once. */
function promptsOf(requests: readonly DirectedRequest[]): Record<string, readonly string[]> {
  const byRole = Map.groupBy(requests, roleOf);
  return Object.fromEntries(
    [...byRole].map(([role, all]) => [role, [...new Set(all.map(({ system }) => system))]]),
  );
}

it('a run keeps the words that it began with, in its plan, its parallel steps and its answer', async () => {
  let pause: (() => void) | null = null;
  const bench = await openAppBench(
    (request) => {
      if (roleOf(request) === 'final') pause?.();
      return direct(request);
    },
    { customInstructions: ` ${FRENCH}\n`, parallelSteps: 2 },
  );
  const { api } = bench.app;
  const run = await bench.start(TASK);
  pause = () => api['runs.pause']({ runId: run.id });
  expect((await bench.settled(run.id)).run.status).toBe('paused');
  pause = null;
  api['settings.update']({ changes: { customInstructions: DUTCH } });
  api['runs.resume']({ runId: run.id });
  const { run: ended, of } = await bench.settled(run.id);
  expect(ended.status).toBe('completed');
  const french = withUserInstructions(rules('executor'), FRENCH);
  expect(promptsOf(bench.requests)).toEqual({
    planner: [withUserInstructions(rules('planner'), FRENCH)],
    step: [french],
    final: [french],
    // Judges by our rules alone.
    judge: [rules('judge')],
  });
  expect(french).toMatch(/\n\n[^\n]*as far as the rules above allow:\nAlways answer in French\.$/);
  const parts = of('usage').flatMap((one) => one.parts ?? []);
  expect(
    new Set(parts.map(({ instructions = 0 }) => instructions > 20 && instructions < 90)),
  ).toEqual(new Set([true]));

  const asked = bench.requests.length;
  await bench.play('Say hello.');
  expect(promptsOf(bench.requests.slice(asked))).toEqual({
    step: [withUserInstructions(rules('executor'), DUTCH)],
  });
});

it('a run that began without words stays without, and its prompts are our rules byte for byte', async () => {
  let pause: (() => void) | null = null;
  const bench = await openAppBench((request) => {
    if (roleOf(request) === 'final') pause?.();
    return direct(request);
  });
  const { api } = bench.app;
  const run = await bench.start(TASK);
  pause = () => api['runs.pause']({ runId: run.id });
  expect((await bench.settled(run.id)).run.status).toBe('paused');
  pause = null;
  api['settings.update']({ changes: { customInstructions: DUTCH } });
  api['runs.resume']({ runId: run.id });
  const { of } = await bench.settled(run.id);
  expect(promptsOf(bench.requests)).toEqual({
    planner: [rules('planner')],
    step: [rules('executor')],
    final: [rules('executor')],
    judge: [rules('judge')],
  });
  expect(of('usage').filter(({ parts }) => parts?.instructions !== undefined)).toEqual([]);
});

it('a branch of a run keeps the words of the run, and a retry takes those of today', async () => {
  let isDown = false;
  const bench = await openAppBench(
    () => {
      if (isDown) throw new Error('The server is down.');
      return { content: 'Hello.' };
    },
    { customInstructions: FRENCH },
  );
  const { api } = bench.app;
  const first = await bench.play('Say hello.');
  isDown = true;
  const failed = await bench.play('Say hello again.');
  expect(failed.run.status).toBe('failed');
  isDown = false;
  api['settings.update']({ changes: { customInstructions: DUTCH } });

  const branched = bench.requests.length;
  const { run: branch } = await api['runs.fork']({ runId: first.run.id, seq: first.run.lastSeq });
  api['runs.resume']({ runId: branch.id });
  await bench.settled(branch.id);
  expect(promptsOf(bench.requests.slice(branched))).toEqual({
    step: [withUserInstructions(rules('executor'), FRENCH)],
  });

  const retried = bench.requests.length;
  const { run: retry } = api['runs.retry']({ runId: failed.run.id });
  await bench.settled(retry.id);
  expect(promptsOf(bench.requests.slice(retried))).toEqual({
    step: [withUserInstructions(rules('executor'), DUTCH)],
  });
});

it('a retry and a branch that began without words stay without', async () => {
  let isDown = true;
  let pause: (() => void) | null = null;
  const bench = await openAppBench(() => {
    if (isDown) throw new Error('The server is down.');
    pause?.();
    return { content: 'Hello.' };
  });
  const { api } = bench.app;
  const failed = await bench.play('Say hello.');
  expect(failed.run.status).toBe('failed');
  isDown = false;
  const { run: retry } = api['runs.retry']({ runId: failed.run.id });
  pause = () => api['runs.pause']({ runId: retry.id });
  expect((await bench.settled(retry.id)).run.status).toBe('paused');
  pause = null;
  api['settings.update']({ changes: { customInstructions: DUTCH } });
  const asked = bench.requests.length;
  api['runs.resume']({ runId: retry.id });
  const ended = await bench.settled(retry.id);
  expect(ended.run.status).toBe('completed');

  const { run: branch } = await api['runs.fork']({ runId: retry.id, seq: 0 });
  api['runs.resume']({ runId: branch.id });
  expect((await bench.settled(branch.id)).run.status).toBe('completed');
  expect(promptsOf(bench.requests.slice(asked))).toEqual({ step: [rules('executor')] });
});

it('refuses more than the limit', async () => {
  const { app } = await openAppBench(direct);
  const change = (length: number) =>
    app.api['settings.update']({ changes: { customInstructions: 'x'.repeat(length) } });
  expect(change(4_000).settings.customInstructions).toHaveLength(4_000);
  expect(() => change(4_001)).toThrow(/at most 4000 characters/);
});
