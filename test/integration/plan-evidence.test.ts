import { describe, expect, it } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import { DONE, plan, roleOf, stepOf, TASK } from '../fakes/planned-task.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';

const TEST =
  'import unittest\nclass T(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(1 + 1, 2)\n';

/** What the steps of a plan show, over the real app and HTTP. */
describe('evidence in a planned run', () => {
  it.skipIf(!osSandboxReady)(
    `takes the word of a step for what an earlier one showed${osSandboxNote}`,
    async () => {
      const bench = await openAppBench((request) => {
        switch (roleOf(request)) {
          case 'planner':
            return plan([
              { id: 'a', title: 'Run the tests' },
              { id: 'b', title: 'Say how they went', depends_on: ['a'] },
            ]);
          case 'judge':
            return DONE;
          case 'final':
            return { content: 'It works.' };
          case 'step':
            if (stepOf(request).startsWith('Say')) {
              return { content: 'All tests pass, as the previous step showed.' };
            }
            return request.results.length > 0
              ? { content: 'I ran them.' }
              : {
                  calls: [
                    {
                      name: 'sandbox_file',
                      arguments: { operation: 'write', path: 'test_one.py', content: TEST },
                    },
                    {
                      name: 'execute_code',
                      arguments: { language: 'bash', code: 'python3 -m unittest' },
                    },
                  ],
                };
        }
      });
      const { run, of } = await bench.play(TASK, { approve: 'all' });
      expect(of('plan_step_completed').map(({ stepId, status }) => [stepId, status])).toEqual([
        ['s1', 'completed'],
        ['s2', 'completed'],
      ]);
      const facts = of('verification').find(({ stepId }) => stepId === 's2')?.facts;
      expect(facts).toMatchObject([{ claim: 'The tests pass', holds: true }]);
      expect([run.status, of('plan_overview').length]).toEqual(['completed', 1]);
    },
  );
});
