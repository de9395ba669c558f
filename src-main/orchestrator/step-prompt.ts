import type { Evidence, PlanStepState } from '#contract/plans.ts';
import { addToUserTurn } from '../agents/context/user-turn.ts';
import { delimitAsData } from '../guardrails/delimit.ts';
import type { ChatMessage } from '../models/types.ts';

/** Characters of earlier results that a step gets if the window is unknown. */
const RESULTS_CHARS = 12_000;
/** Share of the window for them, at three characters per token. */
const RESULTS_SHARE = 0.25;

export interface StepMaterial {
  readonly step: PlanStepState;
  /** Its position in the plan, from 1, and the number of steps. */
  readonly place: readonly [number, number];
  /** Results of completed steps, in order. */
  readonly earlier: readonly { readonly step: PlanStepState; readonly result: string }[];
  readonly todo: string;
}

/**
 * The conversation for one step: the conversation of the run, with the step at the end of the user's turn.
 * So every step starts with the same bytes.
 */
export function stepMessages(
  messages: readonly ChatMessage[],
  material: StepMaterial,
  contextWindow: number | null,
): readonly ChatMessage[] {
  const { step, place, todo } = material;
  const lines = [
    `Your task now is step ${place[0]} of ${place[1]} of a plan, and only that: ${step.title}`,
    `Goal: ${step.goal}`,
    ...(step.toolsHint.length === 0 ? [] : [`Tools that may help: ${step.toolsHint.join(', ')}`]),
    ...describeEvidence(step.expectedEvidence),
    ...describeEarlier(material, resultsBudget(contextWindow)),
    asData(todo, 'the list of steps', `todo ${step.id}`),
    'When the step is done, state the result in a few sentences, with the figures and file names that later steps need.',
  ];
  return withLines(messages, lines);
}

/** The conversation for the final answer: the results of all steps, and what could not be verified. */
export function finalMessages(
  messages: readonly ChatMessage[],
  {
    results,
    missing,
  }: {
    readonly results: readonly { readonly step: PlanStepState; readonly result: string }[];
    readonly missing: readonly string[];
  },
  contextWindow: number | null,
): readonly ChatMessage[] {
  const budget = resultsBudget(contextWindow);
  const each = Math.floor(budget / Math.max(1, results.length));
  const entries = results.map(
    ({ step, result }) => `${step.title} (${step.status}): ${cut(result, each)}`,
  );
  return withLines(messages, [
    'The plan for this task was carried out. Results of its steps:',
    asData(entries.join('\n\n'), 'results of steps', 'results'),
    ...(missing.length === 0
      ? []
      : [
          `Not confirmed by any check: ${missing.join('; ')}. Say so plainly, and do not claim it.`,
        ]),
    'Write the answer to the user now: the result first, with the files that were created. Call no tools unless something small is missing.',
  ]);
}

function describeEvidence(expected: readonly Evidence[]): string[] {
  if (expected.length === 0) return [];
  const words: Readonly<Record<Evidence['kind'], (target: string) => string>> = {
    file: (target) => `the file /workspace/${target} exists and opens`,
    exit_code: (target) => `a program runs without error: ${target}`,
    page: (target) => `the page answers: ${target}`,
    figure: (target) => `it appears in output: ${target}`,
    judgement: (target) => target,
  };
  return [
    'Afterwards, this is checked:',
    ...expected.map(({ kind, target }) => `- ${words[kind](target)}`),
  ];
}

/** Earlier results; those that the step depends on get three times the space of the others. */
function describeEarlier({ step, earlier }: StepMaterial, budget: number): string[] {
  if (earlier.length === 0) return [];
  const needed = new Set(step.dependsOn);
  const shares = earlier.map((entry) => (needed.has(entry.step.id) ? 3 : 1));
  const sum = shares.reduce((total, share) => total + share, 0);
  const entries = earlier.map(
    (entry, i) =>
      `${entry.step.title}: ${cut(entry.result, Math.floor((budget * (shares[i] ?? 1)) / sum))}`,
  );
  return [
    'Results of earlier steps:',
    asData(entries.join('\n\n'), 'results of earlier steps', `earlier ${step.id}`),
  ];
}

function resultsBudget(contextWindow: number | null): number {
  return contextWindow === null
    ? RESULTS_CHARS
    : Math.min(RESULTS_CHARS, Math.floor(contextWindow * RESULTS_SHARE * 3));
}

function asData(content: string, source: string, id: string): string {
  return delimitAsData(content, { toolCallId: id, source });
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, Math.max(0, chars - 1))}…`;
}

/** `messages` with lines added to the end of the last user turn. */
function withLines(
  messages: readonly ChatMessage[],
  lines: readonly string[],
): readonly ChatMessage[] {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const turn = messages[at];
  if (turn?.role !== 'user') return [...messages, { role: 'user', content: lines.join('\n') }];
  return [...messages.slice(0, at), addToUserTurn(turn, lines), ...messages.slice(at + 1)];
}

/** Characters of a turn, and of all turns before this one. */
const TURN_CHARS = 1_000;
const EARLIER_CHARS = 3_000;

/** The end of the conversation before this turn. */
export function earlierTurns(messages: readonly ChatMessage[]): string {
  const turns = messages
    .slice(1, -1)
    .flatMap(({ role, content }) =>
      role === 'user' || role === 'assistant' ? [`${role}: ${content.slice(0, TURN_CHARS)}`] : [],
    );
  return turns.join('\n').slice(-EARLIER_CHARS);
}
