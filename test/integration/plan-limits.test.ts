import { describe, expect, it } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply, DirectedRequest } from '../fakes/directed-model.ts';
import { DONE, file, plan, roleOf, stepOf, TASK, writeFileOfStep } from '../fakes/planned-task.ts';

/** What holds for every plan, also at the worst moments; over the real app and HTTP. */

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

describe('a plan', () => {
  it('is made again as often as the settings say, also where the run rests before its last words', async () => {
    let pause: (() => void) | null = null;
    const bench = await openAppBench(
      (request) => {
        if (roleOf(request) === 'final') pause?.();
        const isClaim = roleOf(request) === 'step' && stepOf(request) === 'Make costs.txt';
        return isClaim ? { content: 'I have written costs.txt.' } : direct(request);
      },
      { maxReplans: 1 },
    );
    const { runs } = bench.app.services;
    const run = await bench.start(TASK);
    pause = () => runs.pause(run.id);
    expect((await bench.settled(run.id)).run.status).toBe('paused');
    pause = null;
    const asked = bench.requests.length;
    runs.resume(run.id);
    const { run: ended, of } = await bench.settled(run.id);
    expect(ended.status).toBe('unverified');
    expect(bench.requests.slice(asked).map(roleOf)).toEqual(['final']);
    expect(of('plan_overview').length).toBe(2);
  });

  it('tells calls of its steps apart, where the server counts them anew in each conversation', async () => {
    const bench = await openAppBench((request) => {
      const { calls, ...rest } = direct(request);
      if (calls === undefined) return rest;
      return { ...rest, calls: calls.map((call) => ({ ...call, id: `functions.${call.name}:0` })) };
    });
    const { run, of } = await bench.play(TASK);
    expect(run.status).toBe('completed');
    expect(of('tool_call').map(({ arguments: given, stepId }) => [stepId, given.path])).toEqual(
      expect.arrayContaining([
        ['s1', 'sales.txt'],
        ['s2', 'costs.txt'],
      ]),
    );
    expect(of('tool_result').length).toBe(2);
    expect(of('workspace_update').map(({ path }) => path)).toEqual(
      expect.arrayContaining(['sales.txt', 'costs.txt']),
    );
  });

  it('keeps what the person added when it is made again, and does not plan again what they took out', async () => {
    let edit: (() => void) | null = null;
    let late: (() => void) | null = null;
    const bench = await openAppBench((request) => {
      if (roleOf(request) === 'planner') {
        if (!request.turn.includes('What went wrong')) {
          return plan([
            { id: 'a', title: 'Claim sales.txt', evidence: [file('sales.txt')] },
            { id: 'b', title: 'Make costs.txt', evidence: [file('costs.txt')], depends_on: ['a'] },
          ]);
        }
        // The person adds one more while the planner thinks.
        late?.();
        return plan([{ id: 'z', title: 'Make sales.txt', evidence: [file('sales.txt')] }]);
      }
      if (stepOf(request) === 'Claim sales.txt') {
        edit?.();
        return { content: 'I have written sales.txt.' };
      }
      return direct(request);
    });
    const { plans } = bench.app.services;
    const run = await bench.start(TASK);
    edit = () => {
      edit = null;
      plans.edit(run.id, 0, [{ id: 's1', title: '' }, { title: 'Make extra.txt' }]);
    };
    late = () => {
      late = null;
      const { revision = 0, steps = [] } = plans.get(run.id) ?? {};
      plans.edit(
        run.id,
        revision,
        [...steps, { title: 'Make late.txt' }].map((one) => ({
          ...('id' in one ? { id: one.id } : {}),
          title: one.title,
        })),
      );
    };
    const { run: ended, of } = await bench.settled(run.id);
    expect(ended.status).toBe('completed');
    // In the order that they have in the plan: what was added comes after what is planned anew.
    expect(of('tool_call').map(({ arguments: given }) => given.path)).toEqual([
      'sales.txt',
      'extra.txt',
      'late.txt',
    ]);
    const again = bench.requests.filter((request) => roleOf(request) === 'planner')[1];
    expect(again?.turn).toContain('do not plan them:\n- Make extra.txt');
    expect(again?.turn).toContain('do not plan them again:\n- Make costs.txt');
  });

  it('is not lost over a judge that cannot be asked', async () => {
    const bench = await openAppBench((request) => {
      if (roleOf(request) === 'judge') throw new Error('model runner has unexpectedly stopped');
      return direct(request);
    });
    const { run, answer } = await bench.play(TASK);
    expect([run.status, answer]).toEqual(['completed', 'As far as it goes.']);
  });
});
