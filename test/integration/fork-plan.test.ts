import { describe, expect, it } from 'vitest';
import { type AppBench, openAppBench, type PlayedRun } from '../fakes/app-bench.ts';
import type { DirectedReply, DirectedRequest } from '../fakes/directed-model.ts';
import { DONE, file, plan, roleOf, stepOf, TASK, writeFileOfStep } from '../fakes/planned-task.ts';

/** Forks of runs that follow a plan, over the real app, HTTP, log and workspace. */

const THREE = plan([
  { id: 'a', title: 'Make sales.txt', evidence: [file('sales.txt')] },
  { id: 'b', title: 'Make costs.txt', evidence: [file('costs.txt')], depends_on: ['a'] },
  { id: 'c', title: 'Make report.txt', evidence: [file('report.txt')], depends_on: ['b'] },
]);

function direct(request: DirectedRequest): DirectedReply {
  switch (roleOf(request)) {
    case 'planner':
      return THREE;
    case 'judge':
      return DONE;
    case 'final':
      return { content: 'All three are there.' };
    case 'step':
      return writeFileOfStep(request);
  }
}

async function forkAt(bench: AppBench, runId: string, seq: number): Promise<PlayedRun> {
  const { api } = bench.app;
  const { run } = await api['runs.fork']({ runId, seq });
  api['runs.resume']({ runId: run.id });
  return bench.settled(run.id);
}

const written = ({ of }: PlayedRun): unknown[] =>
  of('tool_call').map(({ arguments: given }) => given.path);
const ends = ({ of }: PlayedRun): unknown[] =>
  of('plan_step_completed').map(({ stepId, status }) => [stepId, status]);

describe('a fork of a planned run', () => {
  it('keeps the plan and the steps that had ended, and does the rest', async () => {
    const bench = await openAppBench(direct, { snapshotHours: 24 });
    const first = await bench.play(TASK);
    expect([first.run.status, first.run.error]).toEqual(['completed', null]);
    const secondEnd = first.of('plan_step_completed')[1]?.seq ?? 0;
    const thirdCall = first.of('tool_call')[2]?.seq ?? 0;
    expect(thirdCall).toBeGreaterThan(secondEnd);
    const asked = bench.requests.length;
    const fork = await forkAt(bench, first.run.id, thirdCall);
    expect([fork.run.status, fork.answer]).toEqual(['completed', 'All three are there.']);
    const again = bench.requests.slice(asked);
    expect(again.map(roleOf)).toEqual(['step', 'step', 'judge', 'final']);
    // Results of the steps before reach the one that is done again, whole.
    expect(again[0]?.turn).toContain('Make costs.txt: I have written costs.txt.');
    expect(again[0]?.turn).toContain('step 3 of 3');
    expect(ends(fork)).toEqual([
      ['s1', 'completed'],
      ['s2', 'completed'],
      ['s3', 'completed'],
    ]);
    expect(fork.of('plan_overview').length).toBe(1);
    expect(written(fork)).toEqual(['sales.txt', 'costs.txt', 'report.txt']);
    expect(fork.events.map(({ seq }) => seq)).toEqual(fork.events.map((_, at) => at + 1));
    for (const name of ['sales.txt', 'costs.txt', 'report.txt']) {
      expect(await bench.file(fork.run.threadId, name)).toBe(`content of ${name}\n`);
    }
    expect(await bench.file(fork.run.threadId, '.hyperagent/todo.md')).toContain(
      '- [x] 3. Make report.txt',
    );
    // The costs of both together, as the copied log tells them.
    const { rounds, toolCalls } = fork.of('complete')[0] ?? {};
    expect([rounds, toolCalls]).toEqual([fork.of('usage').length, 3]);
  });

  it('begins a step anew that was at work, and plans nothing that was planned', async () => {
    const bench = await openAppBench(direct);
    const first = await bench.play(TASK);
    // Before anything of the first step: the plan alone.
    const overview = first.of('plan_overview')[0]?.seq ?? 0;
    const fork = await forkAt(bench, first.run.id, overview + 3);
    expect(written(fork)).toEqual(['sales.txt', 'costs.txt', 'report.txt']);
    expect(bench.requests.filter((request) => roleOf(request) === 'planner').length).toBe(1);
    // Before there was a plan: it is made again.
    const early = await forkAt(bench, first.run.id, overview - 1);
    expect(early.run.status).toBe('completed');
    expect(bench.requests.filter((request) => roleOf(request) === 'planner').length).toBe(2);
  });

  it('of one that ended unverified plans what failed again, from what was done', async () => {
    let isStubborn = true;
    const bench = await openAppBench(
      (request) => {
        const isClaim = roleOf(request) === 'step' && stepOf(request) === 'Make costs.txt';
        return isStubborn && isClaim ? { content: 'I have written costs.txt.' } : direct(request);
      },
      { maxReplans: 1 },
    );
    const first = await bench.play(TASK);
    expect(first.run.status).toBe('unverified');
    isStubborn = false;
    const asked = bench.requests.length;
    const fork = await forkAt(bench, first.run.id, first.run.lastSeq);
    expect(fork.run.status).toBe('completed');
    expect(bench.requests.slice(asked).map(roleOf)[0]).toBe('planner');
    expect(bench.requests[asked]?.turn).toContain('"Make costs.txt" failed.');
    const ids = fork.of('plan_overview').flatMap(({ steps }) => steps.map(({ id }) => id));
    // No id of a step that was given up names another one.
    const titles = new Map<string, Set<string>>();
    for (const { stepId, title } of fork.of('plan_step')) {
      titles.set(stepId, (titles.get(stepId) ?? new Set()).add(title));
    }
    expect([...titles.values()].every(({ size }) => size === 1)).toBe(true);
    expect(ids.length).toBeGreaterThan(3);
  });

  it('has the plan as the person changed it while the run rested', async () => {
    let pause: () => void = () => undefined;
    const bench = await openAppBench((request) => {
      if (stepOf(request) === 'Make sales.txt' && request.results.length === 1) pause();
      return direct(request);
    });
    const { api } = bench.app;
    const run = await bench.start(TASK);
    pause = () => api['runs.pause']({ runId: run.id });
    const rested = await bench.settled(run.id);
    expect(rested.run.status).toBe('paused');
    pause = () => undefined;
    const before = api['plans.get']({ runId: run.id }).plan;
    api['plans.edit']({
      runId: run.id,
      revision: before?.revision ?? 0,
      steps: [{ id: 's1', title: '' }, { title: 'Make other.txt' }],
    });
    const fork = await forkAt(bench, run.id, rested.run.lastSeq);
    expect(written(fork)).toEqual(['sales.txt', 'other.txt']);
    expect(fork.of('plan_overview').map(({ reason }) => reason)).toEqual([
      undefined,
      'You changed the plan.',
    ]);
    // The run that was copied has its own plan still.
    expect(
      api['plans.get']({ runId: run.id }).plan?.steps.map(({ title, status }) => [title, status]),
    ).toEqual([
      ['Make sales.txt', 'running'],
      ['Make other.txt', 'pending'],
    ]);
  });
});
