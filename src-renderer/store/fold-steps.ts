import type { NoteItem, RunEnd, RunView, TranscriptItem } from './run-view.ts';

/** The steps of a finished run as one line, so that its answer stands out. */
export interface StepFold {
  /** Calls of tools. */
  readonly steps: number;
  /** How many of them failed, were denied or were cancelled, and did not keep the run from its end. */
  readonly undone: number;
  /** Files that the run wrote. */
  readonly files: number;
  readonly durationMs: number;
  /** Place of the first item that it folds. */
  readonly from: number;
  /** Places of the items that stay, in their order; the first are those before `from`. */
  readonly kept: readonly number[];
}

/** A line in place of fewer steps would hide more than it tidies. */
const FEWEST_STEPS = 2;

/** Tells what folds of a run, or null. */
export type FoldOf = (view: RunView) => StepFold | null;

/**
 * What folds of a run: calls, thinking and notes on the way. What is said to the user stays, and what failed where
 * it explains the end: a run that failed or was stopped does not fold at all. A view is read once.
 */
export function createFoldOf(): FoldOf {
  const known = new WeakMap<RunView, StepFold | null>();
  return (view) => {
    if (view.end?.kind !== 'complete') return null;
    const before = known.get(view);
    if (before !== undefined) return before;
    const fold = foldItems(view, view.end);
    known.set(view, fold);
    return fold;
  };
}

type Completed = Extract<RunEnd, { kind: 'complete' }>;

function foldItems(view: RunView, end: Completed): StepFold | null {
  const { items } = view.transcript;
  const last = items.findLast((item) => item.kind === 'text');
  const kept: number[] = [];
  let from: number | null = null;
  let steps = 0;
  let undone = 0;
  for (const [place, item] of items.entries()) {
    if (staysInSight(item, { end, answerId: last?.messageId ?? null })) {
      kept.push(place);
      continue;
    }
    from ??= place;
    if (item.kind !== 'tool') continue;
    steps += 1;
    if (item.status !== 'ok') undone += 1;
  }
  if (from === null || steps < FEWEST_STEPS) return null;
  const files = filesWritten(view);
  return { steps, undone, files, durationMs: end.durationMs, from, kept };
}

interface Ending {
  readonly end: Completed;
  /** The message that the run ended with. */
  readonly answerId: string | null;
}

const SAID_TO_THE_USER: readonly NoteItem['topic'][] = ['guardrails', 'background'];

function staysInSight(item: TranscriptItem, { end, answerId }: Ending): boolean {
  const isDoubtful = end.outcome === 'unverified';
  switch (item.kind) {
    case 'reasoning':
    case 'routing':
    case 'handoff':
    case 'walk':
      return false;
    case 'text':
      return item.messageId === answerId || end.answer.includes(item.source.trim());
    case 'tool':
      // The card of a skill shows what it made.
      return item.skill !== null || (isDoubtful && item.status !== 'ok');
    case 'note':
      return isDoubtful || SAID_TO_THE_USER.includes(item.topic) || item.state === 'failed';
    case 'verification':
      return item.verdict !== 'verified';
    case 'question':
    case 'image':
    case 'plan':
    case 'research':
    case 'sources':
    case 'report':
    case 'end':
      return true;
  }
}

function filesWritten({ workspace }: RunView): number {
  let count = 0;
  for (const { operation, origin } of workspace.byPath.values()) {
    if (operation !== 'delete' && origin !== 'attachment') count += 1;
  }
  return count;
}
