import { describe, expect, it } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply, DirectedRequest } from '../fakes/directed-model.ts';
import { DONE, file, plan, roleOf, stepOf, TASK, writeFileOfStep } from '../fakes/planned-task.ts';

/** Plans that wait for the person, are changed by them, or paused; over the real app and HTTP. */

describe('a plan and the person', () => {
  const twoSteps = plan([
    { id: 'a', title: 'Make sales.txt', evidence: [file('sales.txt')] },
    { id: 'b', title: 'Make costs.txt', evidence: [file('costs.txt')], depends_on: ['a'] },
  ]);
  const direct = (request: DirectedRequest): DirectedReply => {
    switch (roleOf(request)) {
      case 'planner':
        return twoSteps;
      case 'judge':
        return DONE;
      case 'final':
        return { content: 'As you wanted it.' };
      case 'step':
        return writeFileOfStep(request);
    }
  };

  async function question(bench: Awaited<ReturnType<typeof openAppBench>>) {
    for (;;) {
      const [first] = bench.app.api['runs.waiting']().questions;
      if (first !== undefined) return first;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  it('waits for a yes where the settings say so, and does the plan as the person changed it', async () => {
    const bench = await openAppBench(direct, { planReview: 'ask' });
    const run = await bench.start(TASK, { approve: 'ask' });
    const asked = await question(bench);
    expect([asked.kind, asked.title]).toEqual(['confirm', 'Start with this plan?']);
    const { api } = bench.app;
    expect(api['plans.get']({ runId: run.id }).plan?.steps.map(({ id }) => id)).toEqual([
      's1',
      's2',
    ]);
    expect(() =>
      api['plans.edit']({ runId: run.id, revision: 7, steps: [{ title: 'x' }] }),
    ).toThrow(/changed meanwhile/);
    const edited = api['plans.edit']({
      runId: run.id,
      revision: 0,
      steps: [{ title: 'Make third.txt' }, { id: 's1', title: 'Make first.txt' }],
    }).plan;
    expect(edited.steps.map(({ id, title }) => [id, title])).toEqual([
      ['s3', 'Make third.txt'],
      ['s1', 'Make first.txt'],
    ]);
    await bench.app.api['runs.respond']({
      runId: run.id,
      interruptId: asked.interruptId,
      response: { action: 'confirm' },
    });
    const { of } = await bench.settled(run.id);
    expect(of('plan_overview').map(({ revision, reason }) => [revision, reason])).toEqual([
      [0, undefined],
      [1, 'You changed the plan.'],
    ]);
    expect(await bench.file(run.threadId, 'third.txt')).not.toBeNull();
    expect(await bench.file(run.threadId, 'costs.txt')).toBeNull();
  });

  it('ends where the user stops it at a checkpoint: no step, plan, judgement or effect after that', async () => {
    const calls = [
      { name: 'request_human_approval', arguments: { checkpoint: 'target', summary: 'Here?' } },
    ];
    const roles: string[] = [];
    const bench = await openAppBench((request) => {
      roles.push(roleOf(request));
      const isFirst = stepOf(request) === 'Make sales.txt';
      if (!isFirst) return direct(request);
      return request.results.length === 0
        ? { calls }
        : writeFileOfStep({ ...request, results: [] });
    });
    const run = await bench.start(TASK);
    const { interruptId } = await question(bench);
    const response = { action: 'deny', reason: 'Not here.' } as const;
    await bench.app.api['runs.respond']({ runId: run.id, interruptId, response });
    const { of, answer, run: ended } = await bench.settled(run.id);
    expect(roles).toEqual(['planner', 'step', 'step', 'final']);
    expect(of('tool_result').map(({ errorCode }) => errorCode)).toEqual([undefined, 'TOOL_DENIED']);
    expect(of('plan_step_completed').map(({ status, summary }) => [status, summary])).toEqual([
      ['failed', 'You stopped this at a checkpoint. No more calls were made after that.'],
      ['skipped', 'You stopped the task at a checkpoint.'],
    ]);
    expect([ended.status, answer.includes('You stopped the task at a checkpoint')]).toEqual([
      ...['unverified', true],
    ]);
    expect(await bench.file(run.threadId, 'sales.txt')).toBeNull();
  });

  it('pauses between two steps, and goes on with the next', async () => {
    let pause: () => void = () => undefined;
    const bench = await openAppBench((request) => {
      const isFirst = stepOf(request) === 'Make sales.txt';
      if (isFirst && request.results.length === 1) pause();
      return direct(request);
    });
    const run = await bench.start(TASK);
    pause = () => bench.app.api['runs.pause']({ runId: run.id });
    expect((await bench.settled(run.id)).run.status).toBe('paused');
    pause = () => undefined;
    const costs = (): Promise<string | null> => bench.file(run.threadId, 'costs.txt');
    expect(await costs()).toBeNull();
    bench.app.api['runs.resume']({ runId: run.id });
    const { of, answer, run: ended } = await bench.settled(run.id);
    expect([ended.status, answer]).toEqual(['completed', 'As you wanted it.']);
    expect(await costs()).not.toBeNull();
    expect(of('tool_call').map(({ arguments: given }) => given.path)).toEqual([
      'sales.txt',
      'costs.txt',
    ]);
  });

  it('does nothing after a no', async () => {
    const bench = await openAppBench(direct, { planReview: 'ask' });
    const run = await bench.start(TASK, { approve: 'ask' });
    const asked = await question(bench);
    await bench.app.api['runs.respond']({
      runId: run.id,
      interruptId: asked.interruptId,
      response: {
        action: 'deny',
        reason: 'No.',
      },
    });
    const { of, answer } = await bench.settled(run.id);
    expect([of('tool_call').length, answer]).toEqual([
      0,
      'The plan was not started, so nothing was done.',
    ]);
  });

  it('takes changes while it runs: what began stays, what did not is dropped or added', async () => {
    let edit: () => void = () => undefined;
    const bench = await openAppBench((request) => {
      if (roleOf(request) === 'step' && stepOf(request) === 'Make sales.txt') edit();
      return direct(request);
    });
    const run = await bench.start(TASK);
    edit = () => {
      edit = () => undefined;
      const { api } = bench.app;
      expect(() =>
        api['plans.edit']({ runId: run.id, revision: 0, steps: [{ title: 'Only this' }] }),
      ).toThrow(/have begun stay/);
      api['plans.edit']({
        runId: run.id,
        revision: 0,
        steps: [{ id: 's1', title: 'Renamed' }, { title: 'Make added.txt' }],
      });
    };
    const { of } = await bench.settled(run.id);
    expect(of('plan_step_completed').map(({ stepId, status }) => [stepId, status])).toEqual([
      ['s1', 'completed'],
      ['s3', 'completed'],
    ]);
    expect(await bench.file(run.threadId, 'added.txt')).not.toBeNull();
    expect(await bench.file(run.threadId, 'costs.txt')).toBeNull();
    expect(() =>
      bench.app.api['plans.edit']({ runId: run.id, revision: 1, steps: [{ title: 'x' }] }),
    ).toThrow(/has ended/);
  });
});
