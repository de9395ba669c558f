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

/** Maximum characters of the skill state at the end of each request. */
export const PROGRESS_CHARS = 1_500;
const TITLE_CHARS = 60;
/** Required by seed 4; placed last, where the model reads it last. */
const HONEST =
  'Never invent what one of its files says, what the user answered, a grade or a result: read, ask, compute.';

/** The progress of a task in a skill, as the model reads it at the end of each request. */
export function describeProgress(
  progress: SkillProgress,
  grants: readonly ToolGrant[] | null,
  others: readonly { readonly skill: string; readonly grants: readonly ToolGrant[] }[] = [],
): string {
  const list = (some: readonly ToolGrant[]): string => describeGrants(some).join(', ') || 'none';
  const tools = [
    ...(grants === null ? [] : [`Tools while it is active: ${list(grants)}.`]),
    ...others.map(
      (other) => `In this turn ${other.skill} restricts them to: ${list(other.grants)}.`,
    ),
  ].join(' ');
  const end = `To leave it unfinished: request_human_approval with the checkpoint ${LEAVE_CHECKPOINT}.`;
  const head = `[State of the skill ${progress.skill}, tracked by the app; only its tools change it]`;
  const rest = [whatIsNext(progress), HONEST, ...(tools === '' ? [] : [tools.slice(0, 300)]), end];
  const left = PROGRESS_CHARS - [head, ...rest].join('\n').length - 1;
  return [head, listSteps(progress, left), ...rest].filter((line) => line !== '').join('\n');
}

/** The state of a skill that may no longer be used. */
export function describeLapsed({ skill }: SkillProgress): string {
  return `[State of the skill ${skill}, tracked by the app; only its tools change it]\nIt was switched off, changed or removed, and cannot continue. Say what was done and what was not, and end your turn.`;
}

/** The next thing to do, in a sentence or two. */
export function whatIsNext(progress: SkillProgress): string {
  if (progress.status === 'cancelled') return `The user stopped ${progress.skill}.`;
  if (progress.status === 'completed') return `All steps of ${progress.skill} are done.`;
  if (progress.steps.length === 0) return 'It has no enforced steps.';
  const step = currentStep(progress);
  if (step === null) return 'All of its steps are done.';
  const missing = missingOf(step);
  const how =
    missing.length === 0
      ? `When its work is done: complete_skill_step {"skill":"${progress.skill}","step":${step.number}}.`
      : `Before it is complete: ${missing.join('; ')}.`;
  const waits =
    hasMark(step, 'waits') && step.heard === true
      ? ' You may end your turn to wait for the user again.'
      : '';
  const again = hasMark(step, 'repeat')
    ? ' Repeat it as often as needed before you complete it.'
    : '';
  return `Now: step ${step.number}, ${step.title}. ${how}${again}${waits}`.slice(0, 800);
}

/** Why an effect has to wait for the checkpoint of the current step; null where none is open. */
export function describeOpenCheckpoint(progress: SkillProgress): string | null {
  const step = currentStep(progress);
  if (step === null || hasMark(step, 'review')) return null;
  const open = step.checkpoints.find((id) => !step.answered.includes(id));
  if (open === undefined) return null;
  return `Step ${step.number} (${step.title}) has the checkpoint ${open}, which the user has not answered. Until then you may only read. Ask with request_human_approval and the checkpoint ${open}, and read the answer first.`;
}

/** What is still to do where a turn may not end yet; null where it may. */
export function describeUnfinished(progress: SkillProgress): string | null {
  const left = requiredLeft(progress);
  const step = currentStep(progress);
  if (left.length === 0 || step === null || hasMark(step, 'waits')) return null;
  const titles = left.map(({ number, title }) => `${number} (${title})`).join(', ');
  const missing = left.flatMap(missingOf);
  const how = missing.length === 0 ? '' : ` Missing: ${missing.slice(0, 6).join('; ')}.`;
  return `Steps that were not done: ${titles.slice(0, 600)}.${how}`;
}

function listSteps(progress: SkillProgress, chars: number): string {
  const at = currentStep(progress)?.number ?? 0;
  const mark = ({ status, number }: ProgressStep): string =>
    status === 'done' ? 'x' : number === at ? '>' : ' ';
  const line = (step: ProgressStep): string =>
    `[${mark(step)}] ${step.number} ${step.title.slice(0, TITLE_CHARS)}`;
  const whole = progress.steps.map(line).join('\n');
  if (whole.length <= chars) return whole;
  const near = progress.steps
    .filter(({ number }) => Math.abs(number - at) <= 2)
    .map(line)
    .join('\n');
  return near.length <= chars ? near : '';
}
