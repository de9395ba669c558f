import { z } from 'zod';
import type { Settings } from '#contract/settings.ts';
import { RUN_STEP } from '../base/step-path.ts';
import type { RunJournal } from '../storage/types.ts';
import type { RunContext } from './types.ts';

/**
 * What the user wrote for every task. A run keeps the words that it began with, also if there were none. A run of an
 * earlier version, which has a turn or an answer but no stored words, began without any.
 */
export function instructionsOf(
  { run, resumed, persist }: Pick<RunContext, 'run' | 'resumed' | 'persist'>,
  {
    journal,
    settings,
  }: {
    readonly journal: RunJournal;
    readonly settings: () => Pick<Settings, 'customInstructions'>;
  },
): string {
  const stored = journal.newest(run.id, RUN_STEP, 'instructions');
  if (stored !== null) return z.string().parse(stored.payload);
  const hasBegun =
    resumed && (['turn', 'answer'] as const).some((kind) => journal.list(run.id, kind).length > 0);
  const words = hasBegun ? '' : settings().customInstructions.trim();
  persist(() => journal.append(run.id, { step: RUN_STEP, kind: 'instructions', payload: words }));
  return words;
}

/** A branch of a run shares its past, and so the words that the run began with. */
export function carryInstructions(
  journal: RunJournal,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  const stored = journal.newest(from, RUN_STEP, 'instructions');
  const payload = stored?.payload ?? '';
  journal.append(to, { step: RUN_STEP, kind: 'instructions', payload });
}
