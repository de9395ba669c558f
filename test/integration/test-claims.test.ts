import { describe, expect, it } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply } from '../fakes/directed-model.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';

const CALC = 'def add(a, b):\n    return a + b\n';
const unittests = (expected: number): string =>
  `import unittest\nfrom calc import add\n\nclass T(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(add(1, 1), 2)\n    def test_two(self):\n        self.assertEqual(add(2, 2), ${expected})\n`;

type Calls = NonNullable<DirectedReply['calls']>;
const write = (path: string, content: string): Calls[number] => ({
  name: 'sandbox_file',
  arguments: { operation: 'write', path, content },
});
const bash = (code: string): Calls[number] => ({
  name: 'execute_code',
  arguments: { language: 'bash', code },
});

/** A run without a plan: rounds of calls, then what the model says of them. */
async function play(rounds: readonly Calls[], answer: string, options: object = {}) {
  const bench = await openAppBench(({ messages }) => {
    const results = messages.filter(({ role }) => role === 'tool').length;
    let made = 0;
    for (const calls of rounds) {
      if (results === made) return { calls };
      made += calls.length;
    }
    return { content: answer };
  });
  const played = await bench.play('Add numbers in calc.py, with unit tests.', {
    approve: 'all',
    ...options,
  });
  const checks = played.of('verification').flatMap(({ facts }) => facts);
  const ran = played.of('tool_call').filter(({ name }) => name === 'run_tests');
  return { ...played, checks, ran };
}

const SETUP: Calls = [write('calc.py', CALC), write('test_calc.py', unittests(4))];

describe.skipIf(!osSandboxReady)(`what an answer says of tests${osSandboxNote}`, () => {
  it('is checked by a run of the app, which is a call of the run', async () => {
    const { run, checks, ran, of } = await play([SETUP], 'Both 2 tests pass.');
    expect(checks).toMatchObject([{ claim: 'The tests pass', holds: true }]);
    expect(checks[0]?.evidence).toMatch(/^unittest: 2 passed, exit code 0\./);
    expect(run.status).toBe('completed');
    expect(ran).toMatchObject([
      { agent: 'orchestrator', arguments: { runner: 'unittest', folder: '.' } },
    ]);
    const results = of('tool_result').filter(({ name }) => name === 'run_tests');
    expect(results).toMatchObject([{ status: 'ok' }]);
  });

  it.each([
    ['echo "pytest: 2 passed"', 'All tests pass.'],
    ['python3 -m unittest || true', 'All tests pass.'],
    [
      'unittest() { echo OK; }; python3() { echo "Ran 2 tests OK"; }; python3 -m unittest',
      'All 2 tests pass.',
    ],
    [
      'export PYTHONPATH=/workspace/fake; mkdir fake; echo "def main(*a): print(1)" > fake/unittest.py',
      'All 2 tests pass.',
    ],
  ])('fails whatever %s printed', async (code, answer) => {
    const broken = [write('calc.py', CALC), write('test_calc.py', unittests(5)), bash(code)];
    const { run, checks } = await play([broken], answer);
    expect(checks.every(({ holds }) => !holds)).toBe(true);
    expect(checks[0]?.evidence).toMatch(/1 failed/);
    expect(run.status).toBe('unverified');
  });

  it('takes the name of a test file for a file, never for an option of the runner', async () => {
    const option = '--import=./run.test.mjs';
    const real = `import test from 'node:test';\ntest('one', () => {});\n`;
    const { ran, checks } = await play(
      [[write('package.json', '{"scripts":{"test":"node --test"}}'), write(option, real)]],
      'The test in run.test.mjs passes.',
    );
    expect(ran).toMatchObject([{ arguments: { runner: 'node', files: [option] } }]);
    expect(checks[0]?.evidence).toMatch(/^node.*: 1 passed, exit code 0/);
  });

  it('counts', async () => {
    const { run, checks } = await play([SETUP], 'All 12 tests pass.');
    expect(checks[0]?.evidence).toBe('unittest: 2 passed, exit code 0, not 12 passed');
    expect(run.status).toBe('unverified');
  });
});
