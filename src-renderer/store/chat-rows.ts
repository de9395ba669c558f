import type { Message, Run } from '#contract/entities.ts';
import type { FoldOf, StepFold } from './fold-steps.ts';
import type { EndItem, Lane, RunView, TranscriptItem } from './run-view.ts';
import type { Turn } from './selectors.ts';
import { isFinal } from './selectors.ts';

/** One row of the conversation. */
export type ChatRow =
  | { readonly kind: 'user'; readonly run: Run; readonly message: Message | null }
  | {
      readonly kind: 'item';
      readonly run: Run;
      readonly item: TranscriptItem;
      /** The step that it belongs to, where several ran at the same time. */
      readonly lane: Lane | null;
    }
  /** The steps of a finished run, which it stands for while it is closed. */
  | {
      readonly kind: 'steps';
      readonly run: Run;
      readonly fold: StepFold;
      readonly open: boolean;
    }
  /** What the run is doing; only while it is active. */
  | { readonly kind: 'activity'; readonly run: Run; readonly view: RunView }
  /** The log is not loaded yet: the stored answer is shown. */
  | { readonly kind: 'unread'; readonly run: Run; readonly answer: Message | null };

export interface ChatRows {
  readonly count: number;
  at(index: number): ChatRow | null;
  keyAt(index: number): string;
}

/** Which turns fold, and which of those are open. */
export interface Folding {
  readonly foldOf: FoldOf;
  readonly isOpen: (runId: string) => boolean;
}

const NO_FOLDING: Folding = { foldOf: () => null, isOpen: () => true };

interface Segment {
  readonly turn: Turn;
  readonly fold: StepFold | null;
  readonly open: boolean;
  readonly from: number;
  readonly length: number;
}

/** The rows of some turns, without making a list of them: a turn costs the same whatever its length. */
export function chatRows(
  turns: readonly Turn[],
  { foldOf, isOpen }: Folding = NO_FOLDING,
): ChatRows {
  const segments: Segment[] = [];
  let count = 0;
  for (const turn of turns) {
    const fold = turn.view === null ? null : foldOf(turn.view);
    const open = isOpen(turn.run.id);
    const length = 1 + bodyLength(turn, open ? null : fold) + (fold === null ? 0 : 1);
    segments.push({ turn, fold, open, from: count, length });
    count += length;
  }
  const find = (index: number): Segment | undefined =>
    segments.findLast((segment) => segment.from <= index && index < segment.from + segment.length);
  return {
    count,
    at: (index) => {
      const segment = find(index);
      return segment === undefined ? null : rowOf(segment, index - segment.from);
    },
    keyAt: (index) => {
      const segment = find(index);
      return segment === undefined ? `row ${index}` : keyOf(segment, index - segment.from);
    },
  };
}

/** Place among the items of what is shown at an index below the user's message; null for the line of steps. */
function placeOf({ fold, open }: Segment, index: number): number | null {
  const below = index - 1;
  if (fold === null || below < fold.from) return below;
  if (below === fold.from) return null;
  return open ? below - 1 : (fold.kept[below - 1] ?? Number.POSITIVE_INFINITY);
}

/** Rows below the user's message: the items, and a last line about the run if it has no end. */
function bodyLength({ run, view }: Turn, closed: StepFold | null): number {
  if (view === null) return 1;
  if (closed !== null) return closed.kept.length;
  return view.transcript.items.length + (view.end === null && showsLastLine(run) ? 1 : 0);
}

/** A run that ended without an end event is shown by its stored status. */
function showsLastLine(run: Run): boolean {
  if (run.status === 'paused' || run.status === 'queued') return false;
  return !isFinal(run.status) || run.status === 'failed' || run.status === 'cancelled';
}

function rowOf(segment: Segment, index: number): ChatRow | null {
  const { turn, fold, open } = segment;
  const { run, view } = turn;
  if (index === 0) return { kind: 'user', run, message: turn.prompt };
  if (view === null) return { kind: 'unread', run, answer: turn.answered };
  const place = placeOf(segment, index);
  if (place === null) return fold === null ? null : { kind: 'steps', run, fold, open };
  const item = view.transcript.items[place];
  if (item !== undefined) {
    return { kind: 'item', run, item, lane: view.transcript.lanes.get(item.key) ?? null };
  }
  return isFinal(run.status)
    ? { kind: 'item', run, item: endOf(run), lane: null }
    : { kind: 'activity', run, view };
}

function endOf(run: Run): EndItem {
  const code = run.error?.code ?? (run.status === 'cancelled' ? 'CANCELLED' : 'INTERNAL');
  const message = run.error?.message ?? '';
  return { kind: 'end', key: 'end', end: { kind: 'error', code, message, kept: null } };
}

function keyOf(segment: Segment, index: number): string {
  const { run, view } = segment.turn;
  if (index === 0) return `${run.id} user`;
  const place = placeOf(segment, index);
  if (place === null) return `${run.id} steps`;
  const item = view?.transcript.items[place];
  return item === undefined ? `${run.id} last` : `${run.id} ${item.key}`;
}
