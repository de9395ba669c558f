import type { SkillProgress } from '#contract/skills.ts';
import { LEAVE_CHECKPOINT } from './parse-steps.ts';
import {
  currentStep,
  hasMark,
  missingOf,
  type ProgressStep,
  requiredLeft,
} from './skill-progress.ts';
import { describeGrants, type ToolGrant } from './tool-grant.ts';

/** Characters of what stands at the end of each request. */
export const PLACE_CHARS = 1_500;
const TITLE_CHARS = 60;
/** What seed 4 has the model told, where it is read last. */
const HONEST =
  'Never invent what a file of it says, what the person answered, a grade or a result: read, ask, compute.';

/** Where a task is in a skill, as the model reads it at the end of each request. */
export function describePlace(
  walk: SkillProgress,
  grants: readonly ToolGrant[] | null,
  others: readonly { readonly skill: string; readonly grants: readonly ToolGrant[] }[] = [],
): string {
  const list = (some: readonly ToolGrant[]): string => describeGrants(some).join(', ') || 'none';
  const tools = [
    ...(grants === null ? [] : [`Tools while it is at work: ${list(grants)}.`]),
    ...others.map((other) => `In this turn ${other.skill} narrows them to: ${list(other.grants)}.`),
  ].join(' ');
  const end = `To leave it unfinished: request_human_approval with the checkpoint ${LEAVE_CHECKPOINT}.`;
  const head = `[State of the skill ${walk.skill}, kept by the app; only its tools change it]`;
  const rest = [whatIsNext(walk), HONEST, ...(tools === '' ? [] : [tools.slice(0, 300)]), end];
  const left = PLACE_CHARS - [head, ...rest].join('\n').length - 1;
  return [head, listSteps(walk, left), ...rest].filter((line) => line !== '').join('\n');
}

/** Where the skill that a task is in may not be used any more. */
export function describeLapsed({ skill }: SkillProgress): string {
  return `[State of the skill ${skill}, kept by the app; only its tools change it]\nIt was switched off, changed or removed meanwhile, and cannot go on. Say what was done and what was not, and end your turn.`;
}

/** The next thing to do, in a sentence or two. */
export function whatIsNext(walk: SkillProgress): string {
  if (walk.status === 'cancelled') return `The person stopped ${walk.skill}.`;
  if (walk.status === 'completed') return `All steps of ${walk.skill} are done.`;
  if (walk.steps.length === 0) return 'It has no steps that are enforced.';
  const step = currentStep(walk);
  if (step === null) return 'All of its steps are done.';
  const missing = missingOf(step);
  const how =
    missing.length === 0
      ? `When its work is done: complete_skill_step {"skill":"${walk.skill}","step":${step.number}}.`
      : `Before it is complete: ${missing.join('; ')}.`;
  const waits =
    hasMark(step, 'waits') && step.heard === true
      ? ' You may end your turn to wait for the person again.'
      : '';
  const again = hasMark(step, 'repeat')
    ? ' It is done as often as needed before it is complete.'
    : '';
  return `Now: step ${step.number}, ${step.title}. ${how}${again}${waits}`.slice(0, 800);
}

/** What is left undone where a turn may not end yet; null where it may. */
export function describeUnfinished(walk: SkillProgress): string | null {
  const left = requiredLeft(walk);
  const step = currentStep(walk);
  if (left.length === 0 || step === null || hasMark(step, 'waits')) return null;
  const titles = left.map(({ number, title }) => `${number} (${title})`).join(', ');
  const missing = left.flatMap(missingOf);
  const how = missing.length === 0 ? '' : ` Missing: ${missing.slice(0, 6).join('; ')}.`;
  return `Steps that were not done: ${titles.slice(0, 600)}.${how}`;
}

function listSteps(walk: SkillProgress, chars: number): string {
  const at = currentStep(walk)?.number ?? 0;
  const mark = ({ status, number }: ProgressStep): string =>
    status === 'done' ? 'x' : number === at ? '>' : ' ';
  const line = (step: ProgressStep): string =>
    `[${mark(step)}] ${step.number} ${step.title.slice(0, TITLE_CHARS)}`;
  const whole = walk.steps.map(line).join('\n');
  if (whole.length <= chars) return whole;
  const near = walk.steps
    .filter(({ number }) => Math.abs(number - at) <= 2)
    .map(line)
    .join('\n');
  return near.length <= chars ? near : '';
}
