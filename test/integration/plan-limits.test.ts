import { describe, expect, it } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply, DirectedRequest } from '../fakes/directed-model.ts';
import {
  DONE,
  file,
  plan,
  roleOf,
  stepOf,
  TASK,
  write,
  writeFileOfStep,
} from '../fakes/planned-task.ts';

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
    const { api } = bench.app;
    const run = await bench.start(TASK);
    pause = () => api['runs.pause']({ runId: run.id });
    expect((await bench.settled(run.id)).run.status).toBe('paused');
    pause = null;
    const asked = bench.requests.length;
    api['runs.resume']({ runId: run.id });
    const { run: ended, of } = await bench.settled(run.id);
    expect(ended.status).toBe('unverified');
    expect(bench.requests.slice(asked).map(roleOf)).toEqual(['final']);
    expect(of('plan_overview').length).toBe(2);
  });

  it.each(['functions.sandbox_file:0', 'same', ''])(
    'asks about each call and logs it, where the server names all of them "%s"',
    async (id) => {
      const [first, second] = ['Make both.txt', 'Make both.txt again'];
      const steps = plan([
        { id: 'a', title: first, evidence: [file('both.txt')] },
        { id: 'b', title: second, evidence: [file('both.txt')], depends_on: ['a'] },
      ]);
      const bench = await openAppBench(
        (request) => {
          const { calls = [], ...rest } = roleOf(request) === 'planner' ? steps : direct(request);
          return { ...rest, calls: calls.map((call) => ({ ...call, id })) };
        },
        { policyLevel: 'ask_every_time' },
      );
      const { api } = bench.app;
      const run = await bench.start(TASK, { approve: 'ask' });
      for (let answered = 0; answered < 2; answered += 1) {
        await expect
          .poll(() => api['runs.waiting']().questions.length, { timeout: 60_000 })
          .toBe(1);
        const [asked] = api['runs.waiting']().questions;
        const { interruptId = '', argumentsSha256 = '' } = asked ?? {};
        await api['runs.respond']({
          runId: run.id,
          interruptId,
          response: {
            action: 'approve',
            argumentsSha256,
            always: false,
          },
        });
      }
      const { run: ended, of } = await bench.settled(run.id);
      expect(ended.status).toBe('completed');
      const calls = of('tool_call');
      expect(calls.map(({ stepId, arguments: { path } }) => [stepId, path])).toEqual([
        ['s1', 'both.txt'],
        ['s2', 'both.txt'],
      ]);
      const ids = calls.map(({ toolCallId }) => toolCallId);
      expect(new Set(ids).size).toBe(2);
      // Mistral's servers take no other ids.
      expect(ids.filter((own) => !/^[a-z0-9]{9}$/.test(own))).toEqual([]);
      expect(of('interrupt').map(({ toolCallId }) => toolCallId)).toEqual(ids);
      expect(of('tool_result').map(({ toolCallId }) => toolCallId)).toEqual(ids);
    },
  );

  it('looks at a page of the sandbox without a line of the workspace, where nobody may be asked', async () => {
    const steps = plan([
      {
        id: 'a',
        title: 'Make sitecustomize.py',
        evidence: [{ kind: 'page', target: 'http://localhost:9/' }],
      },
      { id: 'b', title: 'Make costs.txt', evidence: [file('costs.txt')], depends_on: ['a'] },
    ]);
    const bench = await openAppBench(
      (request) => {
        if (roleOf(request) === 'planner') return steps;
        if (roleOf(request) !== 'step' || request.results.length > 0) return direct(request);
        return write('sitecustomize.py', 'open("/workspace/ran", "w")');
      },
      { maxReplans: 0 },
    );
    const { run, of } = await bench.play(TASK, { approve: 'never' });
    const told = of('verification').map((event) => JSON.stringify(event));
    expect(told.join()).toContain('Nothing answers there inside the sandbox.');
    expect(await bench.file(run.threadId, 'sitecustomize.py')).not.toBeNull();
    expect(await bench.file(run.threadId, 'ran')).toBeNull();
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
    const { api } = bench.app;
    const run = await bench.start(TASK);
    edit = () => {
      edit = null;
      api['plans.edit']({
        runId: run.id,
        revision: 0,
        steps: [{ id: 's1', title: '' }, { title: 'Make extra.txt' }],
      });
    };
    late = () => {
      late = null;
      const { revision = 0, steps = [] } = api['plans.get']({ runId: run.id }).plan ?? {};
      api['plans.edit']({
        runId: run.id,
        revision,
        steps: [...steps, { title: 'Make late.txt' }].map((one) => ({
          ...('id' in one ? { id: one.id } : {}),
          title: one.title,
        })),
      });
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

  it.each([
    ['cannot be asked', null],
    ['answers in prose', { content: 'Looks fine to me.' }],
  ])('is kept, and ends unverified, with a judge that %s', async (_what, said) => {
    const bench = await openAppBench((request) => {
      if (roleOf(request) !== 'judge') return direct(request);
      if (said === null) throw new Error('model runner has unexpectedly stopped');
      return said;
    });
    const { run, answer } = await bench.play(TASK);
    expect(run.status).toBe('unverified');
    expect(answer).toMatch(/^As far as it goes\.\n\n\*\*Not verified\.\*\*/);
    expect(answer).toContain('gave no clear answer');
  });
});
