import type { RunEvent } from '#contract/events/run-event.ts';
import {
  type DirectedReply,
  type DirectedRequest,
  startDirectedModel,
} from '../fakes/directed-model.ts';
import type { KillScenario } from './scenario.ts';

const ANSWER = 'The program is there, with its tests.';
const PROGRAM = 'def double(x):\n    return x * 2';

/** Tests that leave a line each time they run; the word after `echo` says which they are to who is asked. */
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
  if (system.startsWith('You mend')) return { content: fenced(tests('k2', 4)) };
  if (results.length > 0) return { content: ANSWER };
  const params = { task: 'Double a number.', include_tests: true };
  const call = { name: 'invoke_skill', arguments: { skill_id: 'code_generation', params } };
  return { content: '', calls: [call] };
}

/** Whether the skill gave its program as one of which nobody knows whether its tests hold. */
function saysNotKnown(events: readonly RunEvent[]): boolean {
  return events.some(
    (event) =>
      event.type === 'skill_output' &&
      event.output.tests_passed === null &&
      String(event.output.test_output).startsWith('Not known: '),
  );
}

/** An agent that lets a skill write a program, whose tests fail once and are mended. */
export const SKILL_SCENARIO: KillScenario = {
  prompt: 'Write a program that doubles a number.',
  answer: ANSWER,
  marks: ['k1', 'k2'],
  // Of tests that nobody knows the end of, nothing is mended.
  needs: { k2: { mark: 'k1', isSaid: saysNotKnown } },
  compared: ['routing', 'complete'],
  serve: () => startDirectedModel(direct),
};
