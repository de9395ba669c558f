import { expect, test } from 'vitest';
import { orderSteps } from '#main/skills/builtin/task-planning/order-steps.ts';
import { inOrder, openSkillBench, playExample } from '../../../fakes/skill-bench.ts';

const draft = (id: string, depends_on: readonly string[] = []) => ({
  ...{ id, title: `Do ${id}`, goal: `Do ${id} well.`, depends_on: [...depends_on] },
  ...{ tools_hint: [], expected_evidence: 'It is there.', risk: 'low' as const },
});
const plan = (steps: readonly unknown[], more: object = {}) => ({
  ...{ goal: 'All is done.', steps, assumptions: [], open_questions: [] },
  ...{ estimated_complexity: 'low', ...more },
});
const TWO = [draft('a'), draft('b', ['a'])];

test('the example in its folder', async () => {
  const { example, played, bench } = await playExample('task_planning');
  expect(played.output).toMatchObject(example.expected);
  expect(played.output.notes).toEqual([
    'Point the domain to the new server needed "test", which is not a step; this was left out.',
    expect.stringContaining('needed each other'),
    'The steps were reordered so that each comes after those it needs.',
  ]);
  expect(played.stages).toEqual(['plan', 'check']);
  expect(played.of('skill_output').map(({ output }) => output)).toEqual([played.output]);
  const [asked] = bench.requests;
  expect(asked?.turn).toContain(String(example.params.task));
  // The model is held to the words that there are.
  expect(JSON.stringify(asked?.format)).toContain('"enum":["low","medium","high"]');
  // What somebody else wrote is never among the orders.
  expect(asked?.system).not.toContain('Mia');
  expect(asked?.turn).toMatch(/<data-\w+>\nThe old server is backed up/);
});

test('an answer that is no JSON, or lacks fields, is repaired once', async () => {
  for (const bad of ['Sure! First we do a, then b.', { goal: 'x', steps: [{ title: 'Do a' }] }]) {
    const bench = await openSkillBench(inOrder([bad, plan(TWO)]));
    const { output } = await bench.invoke('task_planning', { task: 'Do a and b.' });
    expect(output.steps).toMatchObject([
      { id: 's1', depends_on: [] },
      { id: 's2', depends_on: ['s1'] },
    ]);
    expect(bench.requests).toHaveLength(2);
    expect(bench.requests[1]?.turn).toContain('That does not fit');
  }
});

test.each([
  ['a refusal', 'I can’t help with that.'],
  ['the same broken answer endlessly', '{"goal": "x", "steps": ['],
  ['nothing', ''],
  ['more steps than may be', plan(['a', 'b', 'c', 'd'].map((id) => draft(id)))],
])('%s is a failure that says so', async (_name, said) => {
  const bench = await openSkillBench(inOrder([said]));
  const played = await bench.invoke('task_planning', { task: 'Do it.', max_steps: 3 });
  expect(played.toolAnswer).toMatchObject({ success: false, error_code: 'SKILL_MODEL_ANSWER' });
  expect(played.execution).toMatchObject({ status: 'failed', output: null });
  expect(bench.requests).toHaveLength(2);
  expect(played.stages).toEqual([]);
  // The run itself goes on.
  expect(played.run.status).toBe('completed');
});

test('a server that fails is a failure with its own code', async () => {
  const bench = await openSkillBench(() => {
    throw new Error('out of memory');
  });
  const played = await bench.invoke('task_planning', { task: 'Do it.' });
  expect(played.toolAnswer.success).toBe(false);
  expect(played.toolAnswer.error_code).toMatch(/^MODEL_/);
});

test('parameters that do not fit are named with those that do', async () => {
  const bench = await openSkillBench(inOrder([plan(TWO)]));
  const none = await bench.invoke('task_planning', {});
  expect(none.toolAnswer).toMatchObject({ error_code: 'SKILL_INPUT_INVALID' });
  expect(none.toolAnswer.error).toContain('task: is missing');
  const many = await bench.invoke('task_planning', { task: 'x', max_steps: 100 });
  expect(many.toolAnswer).toMatchObject({
    error_code: 'SKILL_INPUT_INVALID',
    expected_parameters: [{ name: 'task' }, { name: 'context' }, { name: 'max_steps' }],
  });
  expect(bench.requests).toEqual([]);
});

test('steps come in an order in which they can be done, whatever the model says', () => {
  const circle = orderSteps([draft('a', ['c']), draft('b', ['a']), draft('c', ['b', 'c'])]);
  expect(circle.steps.map(({ id, title, depends_on }) => [id, title, depends_on])).toEqual([
    ['s1', 'Do a', []],
    ['s2', 'Do b', ['s1']],
    ['s3', 'Do c', ['s2']],
  ]);
  expect(circle.notes).toHaveLength(2);
  const named = orderSteps([draft('x', ['Do z', '2']), draft('y'), draft('z', ['nowhere'])]);
  expect(named.steps.map(({ title, depends_on }) => [title, depends_on])).toEqual([
    ['Do y', []],
    ['Do z', []],
    ['Do x', ['s1', 's2']],
  ]);
  const double = orderSteps([draft('a'), draft('b', ['a']), { ...draft('a'), id: 'again' }]);
  expect(double.steps.map(({ id }) => id)).toEqual(['s1', 's2']);
});
