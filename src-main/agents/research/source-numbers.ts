import type { StepPath } from '../../base/step-path.ts';
import type { JournalEntry, RunJournal } from '../../storage/types.ts';

/** One research needs far fewer numbers. */
export const NUMBERS_OF_A_BRANCH = 100;

export interface SourcesPlace {
  readonly runId: string;
  readonly branch: StepPath;
  readonly commit: (work: () => void) => void;
  /** Numbers up to this one are taken elsewhere in the task; asked for once. */
  readonly above?: () => number;
}

/**
 * The first source number of a branch, the same each time. Sources are numbered uniquely in a run, so that
 * `[n]` means the same source everywhere.
 */
export function firstSourceNumber(journal: RunJournal, place: SourcesPlace): number {
  const { runId, branch: step, commit, above = () => 0 } = place;
  const taken = journal.list(runId, 'sources');
  const known = taken.find((entry) => entry.step === step);
  if (known !== undefined) return numberIn(known);
  const last = Math.max(1 - NUMBERS_OF_A_BRANCH, ...taken.map(numberIn));
  const first = Math.max(last + NUMBERS_OF_A_BRANCH, above() + 1);
  commit(() => journal.append(runId, { step, kind: 'sources', payload: { first } }));
  return first;
}

/** Reserves the numbers of one run in another, which cites its sources or goes on with its research. */
export function carrySourceNumbers(
  journal: RunJournal,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  const taken = new Set(journal.list(to, 'sources').map(({ step }) => step));
  for (const { step, kind, payload } of journal.list(from, 'sources')) {
    if (!taken.has(step)) journal.append(to, { step, kind, payload });
  }
}

function numberIn({ payload }: JournalEntry): number {
  return (payload as { readonly first: number }).first;
}
