import { expect, test } from 'vitest';
import type { MadeCall } from '#main/agents/types.ts';
import { checkActions } from '#main/orchestrator/evidence/action-facts.ts';
import { checkStatedFigures } from '#main/orchestrator/evidence/figure-facts.ts';
import { checkSkillOutput } from '#main/orchestrator/evidence/skill-output.ts';

const call = (name: string, given: object = {}, content = 'exit code 0'): MadeCall => ({
  ...{ name, arguments: { ...given }, status: 'ok', content },
});

test.each<[string, MadeCall[], number]>([
  ['I ran the script and it works.', [], 1],
  ['I ran the script and it works.', [call('shell_command')], 0],
  ['I have fixed the bug in app.py.', [call('sandbox_file', { operation: 'read' })], 1],
  ['I have fixed the bug in app.py.', [call('sandbox_file', { operation: 'write' })], 0],
  ['I searched the web for it.', [], 1],
  ["I've sent the e-mail to Ana.", [], 1],
  ['我已经运行了脚本。', [], 1],
  ['Done.', [], 1],
  ['Done.', [call('sandbox_file', { operation: 'delete' })], 0],
  ['I have updated the paragraph: it is shorter now.', [], 0],
  ['I would have run the script.', [], 0],
  ['Paris is the capital of France.', [], 0],
  ["I've fixed the function:\n```py\nx = 1\n```", [], 0],
])('%j after %j has %d unshown actions', (answer, calls, count) => {
  expect(checkActions(answer, calls)).toHaveLength(count);
});

test('figures of an answer are looked for where there is something to find them in', async () => {
  const prompt = 'How many rows does data.csv have?';
  const calls = [
    call('shell_command', { command: 'wc -l data.csv' }, 'exit code 0\nstdout:\n17 data.csv'),
  ];
  const look = async (answer: string, hasData = true): Promise<string[]> =>
    (await checkStatedFigures(answer, { calls, prompt, hasData })).map(({ state }) => state);
  expect(await look('It has 17 rows.')).toEqual(['holds']);
  expect(await look('It has 71 rows.')).toEqual(['fails']);
  expect(await look('The average is 71.')).toEqual(['fails']);
  expect(await look('Paris has 2100000 people.')).toEqual([]);
  expect(await look('It has 71 rows.', false)).toEqual([]);
});

test('what a skill says that it could not check is not shown', async () => {
  const files = {
    read: () => Promise.reject(new Error('none')),
    list: async () => ({ entries: [], truncated: false }),
  };
  const look = async (output: object): Promise<string[]> =>
    (await checkSkillOutput({ ...output }, files)).map(({ state, claim }) => `${state}: ${claim}`);
  expect(await look({ content: 'Hello' })).toEqual([]);
  expect(await look({ tests: 'x', tests_passed: false })).toEqual([
    'fails: The tests of the code pass',
  ]);
  expect(await look({ tests: 'x', tests_passed: null })).toEqual([
    'unknown: The tests of the code pass',
  ]);
  expect(await look({ findings: [{ statement: 'It rose.', verified: false }] })).toEqual([
    'unknown: It rose.',
  ]);
  expect(await look({ not_reviewed: [{ line: 1, end_line: 9 }] })).toEqual([
    'unknown: Lines 1 to 9 were reviewed',
  ]);
});
