import { describe, expect, it } from 'vitest';
import { type AppBench, openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply, DirectedRequest } from '../fakes/directed-model.ts';
import { DONE, roleOf, stepOf, write, writeFileOfStep } from '../fakes/planned-task.ts';

/** Tasks whose words do not say how much work they are: the executor decides with its first call. */

const UNCERTAIN = 'Make our docs searchable';
const CERTAIN = 'Count the lines of notes.txt';

type Call = NonNullable<DirectedReply['calls']>[number];
const planOf = (...goals: readonly string[]): Call => ({
  name: 'make_plan',
  arguments: { steps: goals.map((goal) => ({ goal, file: /\S+\.txt/.exec(goal)?.[0] })) },
});
const PLAN = planOf('Make index.txt', 'Make page.txt');
/** As small models write it: JSON in a string, and null for what is not there. */
const LOOSE: Call = {
  name: 'make_plan',
  arguments: { steps: '[{"goal":"Make index.txt","file":null},{"goal":"Make page.txt"}]' },
};
const writeOf = (path: string): Call => write(path, 'text\n').calls?.[0] as Call;

/** A model that opens the task with these calls, one answer at a time, and does the steps of a plan. */
function opening(...answers: readonly DirectedReply[]) {
  return (request: DirectedRequest): DirectedReply => {
    const role = roleOf(request);
    if (role === 'judge') return DONE;
    if (role === 'final') return { content: 'Both are there.' };
    if (stepOf(request) !== '') return writeFileOfStep(request);
    let known = 0;
    for (const answer of answers) {
      if (request.results.length === known) return answer;
      known += answer.calls?.length ?? 0;
    }
    return { content: 'Done directly.' };
  };
}

const filesOf = async (bench: AppBench, threadId: string): Promise<string[]> => {
  const { entries } = await bench.workspace(threadId).list('', { recursive: true });
  return entries
    .filter(({ kind }) => kind === 'file')
    .map(({ path }) => path)
    .toSorted();
};

describe('a plan as the first call', () => {
  it('is carried out without another request for it, and replaces the calls after it', async () => {
    const bench = await openAppBench(opening({ calls: [PLAN, writeOf('stray.txt')] }));
    const { run, of, answer } = await bench.play(UNCERTAIN);
    expect([run.status, answer]).toEqual(['completed', 'Both are there.']);
    expect(of('routing').map(({ route, agent, reason }) => [route, agent, reason])).toEqual([
      ['uncertain', 'executor', expect.stringMatching(/^The wording does not say/)],
      ['complex', 'executor', 'The model began by making a plan.'],
    ]);
    expect(of('plan_overview').map(({ steps }) => steps)).toMatchObject([
      [
        {
          ...{ id: 's1', title: 'Make index.txt', dependsOn: [] },
          expectedEvidence: [{ kind: 'file', target: 'index.txt' }],
        },
        { id: 's2', title: 'Make page.txt', dependsOn: ['s1'] },
      ],
    ]);
    expect(await filesOf(bench, run.threadId)).toEqual([
      '.hyperagent/todo.md',
      'index.txt',
      'page.txt',
    ]);
    expect(of('tool_call').map(({ name }) => name)).toEqual([
      ...['make_plan', 'sandbox_file', 'sandbox_file'],
    ]);
    expect(bench.requests.map(roleOf)).not.toContain('planner');
    // The opening, two rounds for each step, the judge and the answer: nothing is paid for the route.
    expect(bench.requests.length).toBe(7);
    // Its conversation is that of any planned run.
    const { messages } = bench.app.api['threads.get']({ threadId: run.threadId });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('may be corrected, as long as nothing else ran', async () => {
    const bench = await openAppBench(opening({ calls: [planOf('All of it')] }, { calls: [PLAN] }));
    const { run, of } = await bench.play(UNCERTAIN);
    expect(run.status).toBe('completed');
    expect(
      of('tool_result')
        .map(({ name, status }) => [name, status])
        .slice(0, 2),
    ).toEqual([
      ['make_plan', 'error'],
      ['make_plan', 'ok'],
    ]);
    expect(of('plan_overview')).toHaveLength(1);
  });

  it('may be loosely written', async () => {
    const bench = await openAppBench(opening({ calls: [LOOSE] }));
    const { of } = await bench.play(UNCERTAIN);
    expect(of('plan_overview').map(({ steps }) => steps.map(({ title }) => title))).toEqual([
      ['Make index.txt', 'Make page.txt'],
    ]);
  });

  it('asks the user first where plans are reviewed', async () => {
    const bench = await openAppBench(opening({ calls: [PLAN] }), { planReview: 'ask' });
    const { api } = bench.app;
    const run = await bench.start(UNCERTAIN, { approve: 'ask' });
    await expect
      .poll(() => api['runs.waiting']().questions.map(({ title }) => title))
      .toEqual(['Start with this plan?']);
    api['runs.cancel']({ runId: run.id });
    const { run: ended } = await bench.settled(run.id);
    expect([ended.status, await filesOf(bench, run.threadId)]).toEqual(['cancelled', []]);
  });
});

describe('a plan that is refused', () => {
  it.each([
    ['after other work', UNCERTAIN, [{ calls: [writeOf('a.txt')] }, { calls: [PLAN] }]],
    ['behind another call of the first answer', UNCERTAIN, [{ calls: [writeOf('a.txt'), PLAN] }]],
    ['in a task that is one step', CERTAIN, [{ calls: [PLAN] }, { calls: [writeOf('a.txt')] }]],
  ])('%s: the work goes on', async (_where, prompt, answers) => {
    const bench = await openAppBench(opening(...(answers as DirectedReply[])));
    const { run, of, answer } = await bench.play(prompt);
    expect([run.status, answer]).toEqual(['completed', 'Done directly.']);
    expect(of('tool_result').filter(({ name }) => name === 'make_plan')).toMatchObject([
      { status: 'error', content: expect.stringContaining('No plan can be made here') },
    ]);
    expect([of('routing').length, of('plan_overview').length]).toEqual([1, 0]);
    expect(await filesOf(bench, run.threadId)).toEqual(['a.txt']);
  });

  it('in a step of a plan', async () => {
    const bench = await openAppBench((request) => {
      const name = /\S+\.txt/.exec(stepOf(request))?.[0];
      if (name === undefined || roleOf(request) !== 'step')
        return opening({ calls: [PLAN] })(request);
      return (
        [{ calls: [PLAN] }, write(name, 'text\n')][request.results.length] ?? { content: 'Done.' }
      );
    });
    const { run, of } = await bench.play(UNCERTAIN);
    const results = of('tool_result').filter(({ name }) => name === 'make_plan');
    expect(results.map(({ status }) => status)).toEqual(['ok', 'error', 'error']);
    expect([run.status, of('plan_overview').length]).toEqual(['completed', 1]);
  });

  it('again and again ends the run after a bounded number of requests', async () => {
    const bench = await openAppBench((request) => {
      const role = roleOf(request);
      if (role === 'judge' || role === 'final' || role === 'planner') return opening()(request);
      return { calls: [planOf('All of it')] };
    });
    const { run } = await bench.play(UNCERTAIN);
    expect(['failed', 'unverified']).toContain(run.status);
    expect(bench.requests.length).toBeLessThan(60);
  });
});

it('every request of a run that plans itself begins with the same bytes', async () => {
  const bench = await openAppBench(opening({ calls: [PLAN] }));
  await bench.play(UNCERTAIN);
  const asked = bench.requests.filter((request) => roleOf(request) !== 'judge');
  expect(new Set(asked.map(({ system }) => system)).size).toBe(1);
});
