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
});
