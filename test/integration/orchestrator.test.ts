import { describe, expect, it } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply } from '../fakes/directed-model.ts';
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

/**
 * Whole runs over the real app and HTTP, with a model that plays planner, executor and judge by what it is
 * asked. Files are written by the real tool into the real workspace.
 */

const THREE_STEPS = plan([
  { id: 'a', title: 'Make sales.txt', evidence: [file('sales.txt')] },
  { id: 'b', title: 'Make costs.txt', evidence: [file('/workspace/costs.txt')] },
  { id: 'c', title: 'Make report.txt', evidence: [file('report.txt')], depends_on: ['a', 'b'] },
]);

describe('a planned run', () => {
  it('does a pair side by side, and what depends on both after them, with their results', async () => {
    const waiting: (() => void)[] = [];
    const bench = await openAppBench(async (request) => {
      switch (roleOf(request)) {
        case 'planner':
          return THREE_STEPS;
        case 'judge':
          return DONE;
        case 'final':
          return { content: 'All three files are there.' };
        case 'step':
          // Each of the pair is only answered when the other has asked too.
          if (stepOf(request) !== 'Make report.txt' && request.results.length === 0) {
            await new Promise<void>((resolve) => {
              waiting.push(resolve);
              if (waiting.length === 2) for (const go of waiting) go();
            });
          }
          return writeFileOfStep(request);
      }
    });
    const { run, of, answer } = await bench.play(TASK);
    expect([run.status, answer]).toEqual(['completed', 'All three files are there.']);
    expect(of('routing').map(({ route }) => route)).toEqual(['complex']);
    expect(
      of('plan_overview').map(({ steps }) => steps.map(({ id, dependsOn }) => [id, dependsOn])),
    ).toEqual([
      [
        ['s1', []],
        ['s2', []],
        ['s3', ['s1', 's2']],
      ],
    ]);
    expect(of('parallel_start').map(({ taskIds }) => taskIds)).toEqual([['s1', 's2']]);
    expect(of('parallel_complete').map(({ completed, failed }) => [completed, failed])).toEqual([
      [2, 0],
    ]);
    expect(of('verification').map(({ stepId, verdict }) => [stepId, verdict])).toEqual([
      ['s1', 'verified'],
      ['s2', 'verified'],
      ['s3', 'verified'],
      [undefined, 'verified'],
    ]);
    expect(of('plan_step_completed').map(({ stepId, status }) => [stepId, status])).toEqual([
      ['s1', 'completed'],
      ['s2', 'completed'],
      ['s3', 'completed'],
    ]);
    expect(new Set(of('tool_call').map(({ stepId }) => stepId))).toEqual(
      new Set(['s1', 's2', 's3']),
    );
    const last = bench.requests.find((request) => stepOf(request) === 'Make report.txt');
    expect(last?.turn).toContain('Make sales.txt: I have written sales.txt.');
    expect(last?.turn).toContain('Make costs.txt: I have written costs.txt.');
    expect(last?.turn).toContain('- [x] 1. Make sales.txt');
    expect(last?.system).not.toContain('sales.txt');
    expect(await bench.file(run.threadId, '.hyperagent/todo.md')).toBe(
      of('todo_update').at(-1)?.markdown,
    );
    expect(await bench.file(run.threadId, '.hyperagent/todo.md')).toContain(
      '- [x] 3. Make report.txt',
    );
    expect(await bench.file(run.threadId, 'report.txt')).toBe('content of report.txt\n');
    const { messages } = bench.app.api['threads.get']({ threadId: run.threadId });
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', TASK],
      ['assistant', 'All three files are there.'],
    ]);
    // Steps count their own rounds, and yet no two calls of the run are confused.
    const calls = of('tool_call').map(({ toolCallId }) => toolCallId);
    expect([calls.length, new Set(calls).size]).toEqual([3, 3]);
  });

  it('plans again where a step fails its check, keeps what is done, and comes to its end', async () => {
    const bench = await openAppBench((request) => {
      switch (roleOf(request)) {
        case 'planner':
          return request.turn.includes('What went wrong')
            ? plan([{ id: 'z', title: 'Make report.txt', evidence: [file('report.txt')] }])
            : plan([
                { id: 'a', title: 'Make sales.txt', evidence: [file('sales.txt')] },
                {
                  id: 'b',
                  title: 'Claim report.txt',
                  evidence: [file('report.txt')],
                  depends_on: ['a'],
                },
              ]);
        case 'judge':
          return DONE;
        case 'final':
          return { content: 'Both files are there.' };
        case 'step':
          return stepOf(request).startsWith('Claim')
            ? { content: 'I have written report.txt.' }
            : writeFileOfStep(request);
      }
    });
    const { run, of, answer } = await bench.play(TASK);
    expect([run.status, answer]).toEqual(['completed', 'Both files are there.']);
    expect(
      of('plan_overview').map(({ revision, steps }) => [revision, steps.map(({ title }) => title)]),
    ).toEqual([
      [0, ['Make sales.txt', 'Claim report.txt']],
      [1, ['Make sales.txt', 'Make report.txt']],
    ]);
    expect(of('plan_step_completed').map(({ stepId, status }) => [stepId, status])).toEqual([
      ['s1', 'completed'],
      ['s2', 'failed'],
      ['s3', 'completed'],
    ]);
    const again = bench.requests.filter((request) => roleOf(request) === 'planner')[1];
    expect(again?.turn).toContain('"Claim report.txt" failed.');
    expect(again?.turn).toContain('There is no such file.');
    expect(again?.turn).toContain('- Make sales.txt: I have written sales.txt.');
    // Nothing that was done is done again.
    expect(of('tool_call').map(({ arguments: given }) => given.path)).toEqual([
      'sales.txt',
      'report.txt',
    ]);
  });

  it('ends honestly, unverified, where no plan gets there', async () => {
    const bench = await openAppBench((request) => {
      switch (roleOf(request)) {
        case 'planner':
          return plan([
            { id: 'a', title: 'Make sales.txt', evidence: [file('sales.txt')] },
            {
              id: 'b',
              title: 'Claim report.txt',
              evidence: [file('report.txt')],
              depends_on: ['a'],
            },
            { id: 'c', title: 'Send report.txt', depends_on: ['b'] },
          ]);
        case 'judge':
          return DONE;
        case 'final':
          return { content: 'The report could not be made.' };
        case 'step':
          return stepOf(request).startsWith('Claim')
            ? { content: 'I have written report.txt.' }
            : writeFileOfStep(request);
      }
    });
    const { run, of, answer } = await bench.play(TASK);
    expect(run.status).toBe('unverified');
    expect(of('plan_overview').length).toBe(3);
    expect(of('plan_step_completed').at(-1)).toMatchObject({ status: 'skipped' });
    expect(answer).toContain('The report could not be made.\n\n**Not verified.**');
    expect(answer).toContain(
      'Claim report.txt: report.txt exists and opens. There is no such file.',
    );
    expect(answer).toContain('Send report.txt: skipped. It depends on a step that failed');
    const final = bench.requests.find((request) => roleOf(request) === 'final');
    expect(final?.turn).toContain('Say so plainly, and do not claim it.');
  });

  it('is planned again where the judge misses something, and unverified where it stays missing', async () => {
    const bench = await openAppBench(
      (request) => {
        switch (roleOf(request)) {
          case 'planner':
            return plan([
              { id: 'a', title: 'Make sales.txt', evidence: [file('sales.txt')] },
              { id: 'b', title: 'Make costs.txt', evidence: [file('costs.txt')] },
            ]);
          case 'judge':
            return { content: 'Sure! {"is_done": false, "missing": "the comparison"}' };
          case 'final':
            return { content: 'Here it is.' };
          case 'step':
            return writeFileOfStep(request);
        }
      },
      { maxReplans: 1 },
    );
    const { run, of, answer } = await bench.play(TASK);
    expect([run.status, of('plan_overview').length]).toEqual(['unverified', 2]);
    expect(answer).toContain('- the comparison');
  });

  it('is one step where the planner talks nonsense, asked once more for a better plan', async () => {
    const bench = await openAppBench((request) => {
      switch (roleOf(request)) {
        case 'planner':
          return { content: 'I would rather talk about the weather.' };
        case 'judge':
          return DONE;
        case 'final':
        case 'step':
          return { content: 'Done as one piece.' };
      }
    });
    const { run, of, answer } = await bench.play(TASK);
    // No step named evidence, and its answer claims nothing that could be checked.
    expect([run.status, answer.split('\n')[0]]).toEqual(['unverified', 'Done as one piece.']);
    const [overview] = of('plan_overview');
    expect(overview?.steps.map(({ goal }) => goal)).toEqual([TASK]);
    expect(overview?.reason).toContain('could not be read');
    expect(bench.requests.map(roleOf)).toEqual(['planner', 'planner', 'step', 'judge']);
  });
});

describe('a planned run that was cut off by its model server', () => {
  it('goes on from its plan when it is tried again: what was done is not done again', async () => {
    let isBroken = true;
    const bench = await openAppBench((request) => {
      switch (roleOf(request)) {
        case 'planner':
          return plan([
            { id: 'a', title: 'Make sales.txt', evidence: [file('sales.txt')] },
            { id: 'b', title: 'Make costs.txt', evidence: [file('costs.txt')], depends_on: ['a'] },
          ]);
        case 'judge':
          return DONE;
        case 'final':
          return { content: 'Both are there.' };
        case 'step':
          if (isBroken && stepOf(request) === 'Make costs.txt') {
            throw new Error('model runner has unexpectedly stopped');
          }
          return writeFileOfStep(request);
      }
    });
    const first = await bench.play(TASK);
    expect([first.run.status, first.of('plan_step_completed').length]).toEqual(['failed', 1]);
    isBroken = false;
    const { id } = bench.app.api['runs.retry']({ runId: first.run.id }).run;
    const { run, of, answer } = await bench.settled(id);
    expect([run.status, answer]).toEqual(['completed', 'Both are there.']);
    expect(of('plan_overview').map(({ reason }) => reason)).toEqual([
      'The plan of the previous run.',
    ]);
    expect(of('tool_call').map(({ arguments: given }) => given.path)).toEqual(['costs.txt']);
    expect(bench.requests.filter((request) => roleOf(request) === 'planner').length).toBe(1);
  });
});

describe('a run without a plan', () => {
  it('is told when it claims a file that is not there, and completed when it then writes it', async () => {
    const bench = await openAppBench(({ turn, results }) => {
      if (!turn.includes('Your answer makes claims that are not true')) {
        return { content: 'I have saved the list to list.txt.' };
      }
      return results.length === 0
        ? write('list.txt', 'a\nb\n')
        : { content: 'I have saved it to list.txt.' };
    });
    const { run, of } = await bench.play('Save a list of two letters.');
    expect(run.status).toBe('completed');
    expect(of('verification').map(({ verdict, facts }) => [verdict, facts[0]?.evidence])).toEqual([
      ['unverified', 'There is no such file.'],
      ['verified', '4 bytes.'],
    ]);
    expect(await bench.file(run.threadId, 'list.txt')).toBe('a\nb\n');
  });

  it('ends unverified when it keeps claiming a file that it did not write', async () => {
    const bench = await openAppBench(() => ({ content: 'I have saved the list to `list.txt`.' }));
    const { run, answer } = await bench.play('Save a list of two letters.');
    expect([run.status, bench.requests.length]).toEqual(['unverified', 2]);
    expect(answer).toContain('list.txt exists and opens. There is no such file.');
    // The next turn knows what the user saw.
    expect(bench.app.api['threads.get']({ threadId: run.threadId }).messages.at(-1)?.content).toBe(
      answer,
    );
  });

  it('costs no request more than the bare agent, and says which way it went', async () => {
    const bench = await openAppBench(() => ({ content: 'Four.' }));
    const { run, of } = await bench.play('What is two and two?');
    expect([run.status, bench.requests.length]).toEqual(['completed', 1]);
    expect(of('routing').map(({ route, agent }) => [route, agent])).toEqual([
      ['simple', 'executor'],
    ]);
    expect(of('plan_overview')).toEqual([]);
  });

  it('is turned when it repeats itself, visibly', async () => {
    const same: DirectedReply = {
      calls: [{ name: 'sandbox_file', arguments: { operation: 'list', path: '.' } }],
    };
    const bench = await openAppBench(({ turn }) =>
      turn.includes('made the same call several times') ? { content: 'Another way.' } : same,
    );
    const { of, answer } = await bench.play('Look around.');
    expect([answer, of('tool_call').length]).toEqual(['Another way.', 3]);
    expect(of('stage').filter(({ name }) => name.startsWith('change_strategy')).length).toBe(1);
  });

  it('gets a plan after five failures in a row', async () => {
    let failures = 0;
    const bench = await openAppBench((request) => {
      switch (roleOf(request)) {
        case 'planner':
          return plan([{ id: 'a', title: 'Make other.txt', evidence: [file('other.txt')] }]);
        case 'judge':
          return DONE;
        case 'final':
          return { content: 'Done by a plan.' };
        case 'step':
          if (stepOf(request) !== '') return writeFileOfStep(request);
          failures += 1;
          return {
            calls: [
              { name: 'sandbox_file', arguments: { operation: 'read', path: `no-${failures}` } },
            ],
          };
      }
    });
    const { run, of, answer } = await bench.play('Read the file.');
    expect([run.status, answer, failures]).toEqual(['completed', 'I have written other.txt.', 5]);
    expect(of('routing').map(({ route }) => route)).toEqual(['uncertain', 'complex']);
  });

  it('names the missing skill of a dedicated mode, before any model is asked', async () => {
    const bench = await openAppBench(() => ({ content: 'Hello.' }));
    bench.app.api['skills.setEnabled']({ skillId: 'image_generation', enabled: false });
    const { run } = await bench.play('Draw a cat.', { mode: 'image' });
    expect([run.status, run.error?.code, bench.requests.length]).toEqual([
      'failed',
      'SKILL_MISSING',
      0,
    ]);
    expect(run.error?.message).toContain('image_generation');
  });

  it('calls the skill of a dedicated mode at once, and lets the model go on with what it gave', async () => {
    const bench = await openAppBench(() => ({ content: 'There are no files to look at.' }));
    const played = await bench.play('Total the sales.', { mode: 'data' });
    expect(played.of('tool_call')[0]).toMatchObject({
      name: 'invoke_skill',
      arguments: { skill_id: 'data_analysis', params: { request: 'Total the sales.' } },
    });
    expect(played.of('tool_result').at(-1)).toMatchObject({
      name: 'invoke_skill',
      status: 'error',
    });
    expect(played.run.status).toBe('completed');
    // The first that the agent is asked is what to make of the result.
    const asked = bench.requests.filter(({ system }) => system.startsWith('You are HyperAgent'));
    expect(asked.map(({ results }) => results.length)).toEqual([1]);
  });
});
