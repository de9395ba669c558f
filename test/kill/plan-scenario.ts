import {
  type DirectedReply,
  type DirectedRequest,
  startDirectedModel,
} from '../fakes/directed-model.ts';
import type { KillScenario } from './scenario.ts';

const PROMPT =
  'First note the start in effects.log, then write notes.txt, and after that note the end and write report.txt.';
const ANSWER = 'The notes and the report are there.';

type Call = NonNullable<DirectedReply['calls']>[number];

const leave = (mark: string): Call => ({
  name: 'execute_code',
  arguments: { language: 'bash', code: `echo ${mark} >> effects.log` },
});
const write = (path: string): Call => ({
  name: 'sandbox_file',
  arguments: { operation: 'write', path, content: `content of ${path}\n` },
});

/** The app runs these itself, for what the last step says of them. */
const TESTS: Call = {
  name: 'sandbox_file',
  arguments: {
    operation: 'write',
    path: 'test_one.py',
    content:
      'import unittest\nclass T(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(1 + 1, 2)\n',
  },
};

/** The calls of each step, one list per round; after them, the step reports that it is done. */
const ROUNDS: Readonly<Record<string, readonly (readonly Call[])[]>> = {
  'Note the start': [[leave('p1'), leave('p2')], [leave('p3')]],
  'Only claim notes.txt': [[leave('p4')]],
  'Write notes.txt': [[write('notes.txt'), leave('p5')]],
  'Note the end': [[leave('p6')], [write('report.txt'), TESTS]],
};

const step = (title: string, more: object = {}): object => ({
  ...{ id: title, title, goal: title, tools: [], evidence: [], depends_on: [], ...more },
});
const isThere = (target: string): object => ({ evidence: [{ kind: 'file', target }] });
const FIRST = [
  step('Note the start'),
  step('Only claim notes.txt', { ...isThere('notes.txt'), depends_on: ['Note the start'] }),
  step('Note the end', { ...isThere('report.txt'), depends_on: ['Only claim notes.txt'] }),
];
const SECOND = [
  step('Write notes.txt', isThere('notes.txt')),
  step('Note the end', { ...isThere('report.txt'), depends_on: ['Write notes.txt'] }),
];

function direct({ system, turn, results }: DirectedRequest): DirectedReply {
  if (system.startsWith('You make plans')) {
    const steps = turn.includes('What went wrong') ? SECOND : FIRST;
    return { content: JSON.stringify({ steps }) };
  }
  if (system.startsWith('You check the work')) return { content: '{"is_done":true,"missing":""}' };
  if (turn.includes('Write the answer to the user now')) return { content: ANSWER };
  const title = /and only that: (.*)/.exec(turn)?.[1] ?? '';
  let known = 0;
  for (const calls of ROUNDS[title] ?? []) {
    if (results.length === known) return { content: '', calls };
    known += calls.length;
  }
  return { content: `${title}: done.${title === 'Note the end' ? ' All tests pass.' : ''}` };
}

/** A plan of sequential steps, one of which fails its check and is planned again. */
export const PLAN_SCENARIO: KillScenario = {
  prompt: PROMPT,
  answer: ANSWER,
  marks: ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'],
  settings: { parallelSteps: 1 },
  serve: () => startDirectedModel(direct),
};
