import {
  type DirectedReply,
  type DirectedRequest,
  startDirectedModel,
} from '../fakes/directed-model.ts';
import type { KillScenario } from './scenario.ts';

/** Its words do not say how much work it is. */
const PROMPT = 'Make our docs searchable';
const ANSWER = 'The index and the page are there.';

type Call = NonNullable<DirectedReply['calls']>[number];

const leave = (mark: string): Call => ({
  name: 'execute_code',
  arguments: { language: 'bash', code: `echo ${mark} >> effects.log` },
});
const write = (path: string): Call => ({
  name: 'sandbox_file',
  arguments: { operation: 'write', path, content: `content of ${path}\n` },
});

/** The first answer corrects nothing yet: its plan has one step too few. The second one has a call too many. */
const OPENING: readonly (readonly Call[])[] = [
  [{ name: 'make_plan', arguments: { steps: [{ goal: 'All of it' }] } }],
  [
    {
      name: 'make_plan',
      arguments: {
        steps: [
          { goal: 'Build the index', file: 'index.txt' },
          { goal: 'Write the page', file: 'page.txt' },
        ],
      },
    },
    leave('never'),
  ],
];
const ROUNDS: Readonly<Record<string, readonly (readonly Call[])[]>> = {
  'Build the index': [[leave('p1'), write('index.txt')], [leave('p2')]],
  'Write the page': [[leave('p3'), write('page.txt')]],
};

function direct({ system, turn, results }: DirectedRequest): DirectedReply {
  if (system.startsWith('You make plans')) throw new Error('The plan is there already');
  if (system.startsWith('You decide how much')) return { content: '{"route":"one_step"}' };
  if (system.startsWith('You check the work')) return { content: '{"is_done":true,"missing":""}' };
  if (turn.includes('Write the answer to the user now')) return { content: ANSWER };
  const title = /and only that: (.*)/.exec(turn)?.[1];
  if (title === undefined) return { content: '', calls: OPENING[results.length] ?? [] };
  let known = 0;
  for (const calls of ROUNDS[title] ?? []) {
    if (results.length === known) return { content: '', calls };
    known += calls.length;
  }
  return { content: `${title}: done.` };
}

/** A task that a small model takes for one step, and that the executor plans with its first call. */
export const ESCALATION_SCENARIO: KillScenario = {
  prompt: PROMPT,
  answer: ANSWER,
  marks: ['p1', 'p2', 'p3'],
  settings: {
    ...{
      routeByModel: true,
      tiers: { max: null, pro: null, flash: { provider: 'ollama', name: 'x' } },
    },
  },
  serve: () => startDirectedModel(direct),
};
