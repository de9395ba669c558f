import type { Evidence } from '#contract/plans.ts';
import type { DirectedReply, DirectedRequest } from './directed-model.ts';

/** A task that gets a plan, and what a model says of it as planner, judge and executor. */

export const TASK =
  'First collect the sales figures into sales.txt, then compute the costs into costs.txt, and after that write a report with both to report.txt.';

export interface DraftStep {
  readonly id: string;
  readonly title: string;
  readonly evidence?: readonly Evidence[];
  readonly depends_on?: readonly string[];
}

export const plan = (steps: readonly DraftStep[]): DirectedReply => ({
  content: JSON.stringify({
    steps: steps.map((step) => ({ goal: `Do: ${step.title}`, tools: ['sandbox_file'], ...step })),
  }),
});
export const file = (target: string): Evidence => ({ kind: 'file', target });
export const write = (path: string, content: string): DirectedReply => ({
  calls: [{ name: 'sandbox_file', arguments: { operation: 'write', path, content } }],
});
export const DONE: DirectedReply = { content: '{"is_done": true, "missing": ""}' };

export type Role = 'planner' | 'judge' | 'final' | 'step';
export function roleOf({ system, turn }: DirectedRequest): Role {
  if (system.startsWith('You make plans')) return 'planner';
  if (system.startsWith('You check the work')) return 'judge';
  return turn.includes('Write the answer to the user now') ? 'final' : 'step';
}

/** The title of the step that a request is about. */
export function stepOf({ turn }: DirectedRequest): string {
  return /Your task now is step \d+ of \d+ of a plan, and only that: (.*)/.exec(turn)?.[1] ?? '';
}

/** Writes the file that a step is named after, then says so. */
export function writeFileOfStep(request: DirectedRequest): DirectedReply {
  const name = /\S+\.txt/.exec(stepOf(request))?.[0] ?? 'x.txt';
  if (request.results.length === 0) return write(name, `content of ${name}\n`);
  return { content: `I have written ${name}.` };
}
