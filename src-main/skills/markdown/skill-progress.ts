import type { SkillProgress, SkillStep } from '#contract/skills.ts';
import { sameCheckpoint } from './parse-steps.ts';

export type ProgressStep = SkillProgress['steps'][number];

/** What became of a move: the walk after it, or why it may not be made. */
export type Moved =
  | { readonly ok: true; readonly walk: SkillProgress }
  | { readonly ok: false; readonly why: string };

/** Refusals that are kept; the oldest go first. */
const REFUSALS = 20;
const WHAT_CHARS = 200;
const WHY_CHARS = 600;

/** The way through a skill, at its beginning. `allowedTools` are names of its front matter. */
export function startProgress(
  skill: string,
  sha256: string,
  {
    steps,
    allowedTools = null,
  }: { readonly steps: readonly SkillStep[]; readonly allowedTools?: readonly string[] | null },
): SkillProgress {
  return {
    ...{ skill, sha256, status: 'active', refusals: [] },
    steps: steps.map((step) => ({ ...step, status: 'pending', read: [], answered: [] })),
    allowedTools: allowedTools === null ? null : [...allowedTools],
  };
}

/** Whether a step may be worked on: all before it are done, or may be left out. */
function isOpen(walk: SkillProgress, step: ProgressStep): boolean {
  if (step.status === 'done') return false;
  return walk.steps
    .slice(0, step.number - 1)
    .every((earlier) => earlier.status === 'done' || hasMark(earlier, 'optional'));
}

/** The step that is to be done next; null where none is left, or only such as may be left out and were. */
export function currentStep(walk: SkillProgress): ProgressStep | null {
  if (walk.status !== 'active') return null;
  const lastDone = walk.steps.findLastIndex(({ status }) => status === 'done');
  return (
    walk.steps.find(
      (step, i) => isOpen(walk, step) && (i > lastDone || !hasMark(step, 'optional')),
    ) ?? null
  );
}

/** Steps that are left and may not be left out. */
export function requiredLeft(walk: SkillProgress): ProgressStep[] {
  if (walk.status !== 'active') return [];
  return walk.steps.filter((step) => step.status === 'pending' && !hasMark(step, 'optional'));
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
    ...(isUnheard(step) ? ['what the person says: ask_user, or end your turn and wait'] : []),
  ];
}

function isUnheard(step: ProgressStep): boolean {
  return hasMark(step, 'waits') && step.heard !== true;
}

/** The person said something: each step that waits for that and is at hand has heard it. */
export function noteUserMessage(walk: SkillProgress): SkillProgress {
  if (walk.status !== 'active') return walk;
  const hears = (step: ProgressStep): boolean => isUnheard(step) && isOpen(walk, step);
  if (!walk.steps.some(hears)) return walk;
  return { ...walk, steps: walk.steps.map((one) => (hears(one) ? { ...one, heard: true } : one)) };
}

/** A file of the skill is read. One that belongs to later steps only is refused; one of no step is free. */
export function readSubskill(walk: SkillProgress, file: string): Moved {
  return reach(walk, {
    steps: walk.steps.filter(({ subskills }) => subskills.includes(file)),
    what: `${file} belongs`,
    isNoted: ({ read }) => read.includes(file),
    note: (step) => ({ ...step, read: [...step.read, file] }),
  });
}

/** The person answered a checkpoint. One of a later step is refused; one of no step is free. */
export function answerCheckpoint(walk: SkillProgress, checkpoint: string): Moved {
  const idIn = ({ checkpoints }: ProgressStep): string | undefined =>
    checkpoints.find((id) => sameCheckpoint(id, checkpoint));
  return reach(walk, {
    steps: walk.steps.filter((step) => idIn(step) !== undefined),
    what: `The checkpoint ${checkpoint} belongs`,
    isNoted: (step) => step.answered.includes(idIn(step) ?? ''),
    note: (step) => ({ ...step, answered: [...step.answered, idIn(step) ?? ''] }),
  });
}

/** The step that asks for a checkpoint, for the person who is asked; null where none does. */
export function stepOfCheckpoint(walk: SkillProgress, checkpoint: string): string | null {
  const step = walk.steps.find(({ checkpoints }) =>
    checkpoints.some((id) => sameCheckpoint(id, checkpoint)),
  );
  return step === undefined ? null : `${walk.skill}, ${nameOf(step)}`;
}

interface Reaching {
  readonly steps: readonly ProgressStep[];
  readonly what: string;
  readonly isNoted: (step: ProgressStep) => boolean;
  readonly note: (step: ProgressStep) => ProgressStep;
}

function reach(walk: SkillProgress, { steps, what, isNoted, note }: Reaching): Moved {
  const unchanged = { ok: true, walk } as const;
  if (walk.status !== 'active' || steps.length === 0) return unchanged;
  const open = steps.filter((step) => isOpen(walk, step));
  const fresh = open.find((step) => !isNoted(step));
  if (fresh !== undefined) return { ok: true, walk: withStep(walk, note(fresh)) };
  if (open.length > 0 || steps.some(({ status }) => status === 'done')) return unchanged;
  const [later] = steps;
  if (later === undefined) return unchanged;
  return { ok: false, why: `${what} to ${nameOf(later)}. ${firstOpen(walk, later)}` };
}

/** A step is said to be done. It is where its files were read, its checkpoints answered, and none before it is open. */
export function completeStep(walk: SkillProgress, number: number): Moved {
  const step = walk.steps[number - 1];
  if (step === undefined) {
    const why = `${walk.skill} has ${walk.steps.length} steps, and no step ${number}.`;
    return { ok: false, why };
  }
  if (step.status === 'done') return { ok: true, walk };
  if (walk.status !== 'active') {
    const why = `${walk.skill} is not at work in this task. Load it with load_skill to begin.`;
    return { ok: false, why };
  }
  if (!isOpen(walk, step)) return { ok: false, why: firstOpen(walk, step) };
  const missing = missingOf(step);
  if (missing.length > 0) {
    return { ok: false, why: `${nameOf(step)} is not complete. Missing: ${missing.join('; ')}.` };
  }
  const done = withStep(walk, { ...step, status: 'done' });
  // What the person said was said once: no other step that waits is done by it.
  const moved = hasMark(step, 'waits') ? { ...done, steps: done.steps.map(unheard) } : done;
  const isOver = currentStep(moved) === null;
  return { ok: true, walk: isOver ? { ...moved, status: 'completed' } : moved };
}

/** The walk with something that was refused in it. */
export function withRefusal(walk: SkillProgress, what: string, why: string): SkillProgress {
  const refusal = { what: what.slice(0, WHAT_CHARS), why: why.slice(0, WHY_CHARS) };
  return { ...walk, refusals: [...walk.refusals, refusal].slice(-REFUSALS) };
}

function firstOpen(walk: SkillProgress, later: ProgressStep): string {
  const first = walk.steps.find(
    (step) => step.number < later.number && step.status === 'pending' && !hasMark(step, 'optional'),
  );
  if (first === undefined) return '';
  const missing = missingOf(first);
  const how =
    missing.length === 0
      ? 'complete_skill_step says when it is.'
      : `Missing: ${missing.join('; ')}.`;
  return `${nameOf(first)} comes first, and is not done. ${how}`;
}

function unheard({ heard, ...step }: ProgressStep): ProgressStep {
  return step.status === 'done' && heard === true ? { ...step, heard } : step;
}

function nameOf({ number, title }: SkillStep): string {
  return `step ${number} (${title})`;
}

function withStep(walk: SkillProgress, step: ProgressStep): SkillProgress {
  return { ...walk, steps: walk.steps.map((one) => (one.number === step.number ? step : one)) };
}
