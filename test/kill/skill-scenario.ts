import type { RunEvent } from '#contract/events/run-event.ts';
import {
  type DirectedReply,
  type DirectedRequest,
  startDirectedModel,
} from '../fakes/directed-model.ts';
import type { KillScenario } from './scenario.ts';

const ANSWER = 'The program is there, with its tests.';
const PROGRAM = 'def double(x):\n    return x * 2';

/** Tests that append a line each time they run; the word after `echo` identifies them in questions. */
const tests = (mark: string, expected: number): string => `# echo ${mark}
import unittest
from solution import double

with open('/workspace/effects.log', 'a') as log:
    log.write('${mark}\\n')


class TestDouble(unittest.TestCase):
    def test_double(self):
        self.assertEqual(double(2), ${expected})`;

const fenced = (code: string): string => `\`\`\`python\n${code}\n\`\`\``;

function direct({ system, results }: DirectedRequest): DirectedReply {
  if (system.startsWith('You write programs')) {
    return { content: `${fenced(PROGRAM)}\n\nIt gives twice what it is given, and nothing else.` };
  }
  if (system.startsWith('You write tests')) return { content: fenced(tests('k1', 5)) };
  if (system.startsWith('You fix')) return { content: fenced(tests('k2', 4)) };
  if (results.length > 0) return { content: ANSWER };
  const params = { task: 'Double a number.', include_tests: true };
  const call = { name: 'invoke_skill', arguments: { skill_id: 'code_generation', params } };
  return { content: '', calls: [call] };
}

/** Whether the skill returned its program with the result of its tests unknown. */
function saysNotKnown(events: readonly RunEvent[]): boolean {
  return events.some(
    (event) =>
      event.type === 'skill_output' &&
      event.output.tests_passed === null &&
      String(event.output.test_output).startsWith('Outcome unknown: '),
  );
}

/** An agent that has a skill write a program, whose tests fail once and are fixed. */
export const SKILL_SCENARIO: KillScenario = {
  prompt: 'Write a program that doubles a number.',
  answer: ANSWER,
  marks: ['k1', 'k2'],
  // Tests with an unknown result are not fixed.
  needs: { k2: { mark: 'k1', isSaid: saysNotKnown } },
  compared: ['routing', 'complete'],
  serve: () => startDirectedModel(direct),
};
