import type { SkillProgress, SkillStep } from '#contract/skills.ts';
import { sameCheckpoint } from './parse-steps.ts';

export type ProgressStep = SkillProgress['steps'][number];

/** The result of a move: the progress after it, or why it is refused. */
export type Moved =
  | { readonly ok: true; readonly progress: SkillProgress }
  | { readonly ok: false; readonly why: string };

/** Refusals that are kept; the oldest are dropped first. */
const REFUSALS = 20;
const WHAT_CHARS = 200;
const WHY_CHARS = 600;

/** The initial progress in a skill. `allowedTools` are the names in its front matter. */
export function startProgress(
  skill: string,
  sha256: string,
  {
    steps,
    allowedTools = null,
  }: { readonly steps: readonly SkillStep[]; readonly allowedTools?: readonly string[] | null },
): SkillProgress {
  return {
    skill,
    sha256,
    status: 'active',
    refusals: [],
    steps: steps.map((step) => ({ ...step, status: 'pending', read: [], answered: [] })),
    allowedTools: allowedTools === null ? null : [...allowedTools],
  };
}

/** Whether a step may be worked on: all earlier ones are done or optional. */
function isOpen(progress: SkillProgress, step: ProgressStep): boolean {
  if (step.status === 'done') return false;
  return progress.steps
    .slice(0, step.number - 1)
    .every((earlier) => earlier.status === 'done' || hasMark(earlier, 'optional'));
}

/** The next step to do; null where none is left but skipped optional ones. */
export function currentStep(progress: SkillProgress): ProgressStep | null {
  if (progress.status !== 'active') return null;
  const lastDone = progress.steps.findLastIndex(({ status }) => status === 'done');
  return (
    progress.steps.find(
      (step, i) => isOpen(progress, step) && (i > lastDone || !hasMark(step, 'optional')),
    ) ?? null
  );
}

/** Pending steps that are not optional. */
export function requiredLeft(progress: SkillProgress): ProgressStep[] {
  if (progress.status !== 'active') return [];
  return progress.steps.filter((step) => step.status === 'pending' && !hasMark(step, 'optional'));
}

export function hasMark(step: SkillStep, mark: NonNullable<SkillStep['marks']>[number]): boolean {
  return step.marks?.includes(mark) ?? false;
}

/** What a step still needs before it is complete. */
export function missingOf(step: ProgressStep): string[] {
  const files = step.subskills.filter((file) => !step.read.includes(file));
  const open = step.checkpoints.filter((id) => !step.answered.includes(id));
  return [
    ...files.map((file) => `read_file ${file}`),
    ...open.map((id) => `request_human_approval with the checkpoint ${id}`),
    ...(needsMessage(step) ? ['an answer from the user: ask_user, or end your turn and wait'] : []),
  ];
}

function needsMessage(step: ProgressStep): boolean {
  return hasMark(step, 'waits') && step.heard !== true;
}

/** Notes a message of the user: every open step that waits for one now has it. */
export function noteUserMessage(progress: SkillProgress): SkillProgress {
  if (progress.status !== 'active') return progress;
  const receives = (step: ProgressStep): boolean => needsMessage(step) && isOpen(progress, step);
  if (!progress.steps.some(receives)) return progress;
  return {
    ...progress,
    steps: progress.steps.map((one) => (receives(one) ? { ...one, heard: true } : one)),
  };
}

/** Reads a file of the skill. A file only of later steps is refused; one of no step is always allowed. */
export function readSubskill(progress: SkillProgress, file: string): Moved {
  return reach(progress, {
    steps: progress.steps.filter(({ subskills }) => subskills.includes(file)),
    what: `${file} belongs`,
    isNoted: ({ read }) => read.includes(file),
    note: (step) => ({ ...step, read: [...step.read, file] }),
  });
}

/** Notes an answered checkpoint. One of a later step is refused; one of no step is always allowed. */
export function answerCheckpoint(progress: SkillProgress, checkpoint: string): Moved {
  const idIn = ({ checkpoints }: ProgressStep): string | undefined =>
    checkpoints.find((id) => sameCheckpoint(id, checkpoint));
  return reach(progress, {
    steps: progress.steps.filter((step) => idIn(step) !== undefined),
    what: `The checkpoint ${checkpoint} belongs`,
    isNoted: (step) => step.answered.includes(idIn(step) ?? ''),
    note: (step) => ({ ...step, answered: [...step.answered, idIn(step) ?? ''] }),
  });
}

/** The step with a checkpoint, in words for the user's question; null where no step has it. */
export function stepOfCheckpoint(progress: SkillProgress, checkpoint: string): string | null {
  const step = progress.steps.find(({ checkpoints }) =>
    checkpoints.some((id) => sameCheckpoint(id, checkpoint)),
  );
  return step === undefined ? null : `${progress.skill}, ${nameOf(step)}`;
}

interface Reaching {
  readonly steps: readonly ProgressStep[];
  readonly what: string;
  readonly isNoted: (step: ProgressStep) => boolean;
  readonly note: (step: ProgressStep) => ProgressStep;
}

function reach(progress: SkillProgress, { steps, what, isNoted, note }: Reaching): Moved {
  const unchanged = { ok: true, progress } as const;
  if (progress.status !== 'active' || steps.length === 0) return unchanged;
  const open = steps.filter((step) => isOpen(progress, step));
  const fresh = open.find((step) => !isNoted(step));
  if (fresh !== undefined) return { ok: true, progress: withStep(progress, note(fresh)) };
  if (open.length > 0 || steps.some(({ status }) => status === 'done')) return unchanged;
  const [later] = steps;
  if (later === undefined) return unchanged;
  return { ok: false, why: `${what} to ${nameOf(later)}. ${firstOpen(progress, later)}` };
}

/** Completes a step. Refused unless its files were read, its checkpoints answered, and all earlier steps done. */
export function completeStep(progress: SkillProgress, number: number): Moved {
  const step = progress.steps[number - 1];
  if (step === undefined) {
    const why = `${progress.skill} has ${progress.steps.length} steps; there is no step ${number}.`;
    return { ok: false, why };
  }
  if (step.status === 'done') return { ok: true, progress };
  if (progress.status !== 'active') {
    const why = `${progress.skill} is not loaded in this task. Load it with load_skill to begin.`;
    return { ok: false, why };
  }
  if (!isOpen(progress, step)) return { ok: false, why: firstOpen(progress, step) };
  const missing = missingOf(step);
  if (missing.length > 0) {
    return { ok: false, why: `${nameOf(step)} is not complete. Missing: ${missing.join('; ')}.` };
  }
  const done = withStep(progress, { ...step, status: 'done' });
  // One message of the user completes only one step that waits.
  const moved = hasMark(step, 'waits') ? { ...done, steps: done.steps.map(withoutMessage) } : done;
  const isOver = currentStep(moved) === null;
  return { ok: true, progress: isOver ? { ...moved, status: 'completed' } : moved };
}

/** The progress with a refusal added. */
export function withRefusal(progress: SkillProgress, what: string, why: string): SkillProgress {
  const refusal = { what: what.slice(0, WHAT_CHARS), why: why.slice(0, WHY_CHARS) };
  return { ...progress, refusals: [...progress.refusals, refusal].slice(-REFUSALS) };
}

function firstOpen(progress: SkillProgress, later: ProgressStep): string {
  const first = progress.steps.find(
    (step) => step.number < later.number && step.status === 'pending' && !hasMark(step, 'optional'),
  );
  if (first === undefined) return '';
  const missing = missingOf(first);
  const how =
    missing.length === 0
      ? 'Complete it with complete_skill_step.'
      : `Missing: ${missing.join('; ')}.`;
  return `${nameOf(first)} comes first and is not done. ${how}`;
}

function withoutMessage({ heard, ...step }: ProgressStep): ProgressStep {
  return step.status === 'done' && heard === true ? { ...step, heard } : step;
}

function nameOf({ number, title }: SkillStep): string {
  return `step ${number} (${title})`;
}

function withStep(progress: SkillProgress, step: ProgressStep): SkillProgress {
  return {
    ...progress,
    steps: progress.steps.map((one) => (one.number === step.number ? step : one)),
  };
}
