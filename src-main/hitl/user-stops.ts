import { AppError } from '#contract/errors.ts';
import { RUN_STEP } from '../base/step-path.ts';
import type { RunScope } from '../run-scope.ts';
import type { RunJournal } from '../storage/types.ts';

/** The tool that asks the user at a checkpoint. */
export const CHECKPOINT_TOOL = 'request_human_approval';
/** For a call that the model wrote before it could read the user's answer. */
export const ASKED_IN_SAME_ANSWER =
  'The user was asked in this same answer. Read their reply, then make the call if it still fits.';

const KNOWN_RUNS = 200;

/**
 * Runs that the user stopped at a checkpoint: no more calls run in them, in any branch, and their agents end. It
 * is stored with the answer, so that a run that resumes stays stopped.
 */
export class UserStops {
  readonly #journal: Pick<RunJournal, 'newest' | 'append'>;
  /** The checkpoint of each run, null for none: asked at each call. No other process writes them. */
  readonly #known = new Map<string, string | null>();

  constructor(journal: Pick<RunJournal, 'newest' | 'append'>) {
    this.#journal = journal;
  }

  /** The checkpoint at which the user stopped the run; null if they did not. */
  at(runId: string): string | null {
    const known = this.#known.get(runId);
    if (known !== undefined) return known;
    const entry = this.#journal.newest(runId, RUN_STEP, 'stop');
    return this.#remember(runId, entry === null ? null : String(entry.payload));
  }

  note(checkpoint: string, { runId, persist }: Pick<RunScope, 'runId' | 'persist'>): void {
    this.#remember(runId, checkpoint);
    const entry = { step: RUN_STEP, kind: 'stop', payload: checkpoint } as const;
    persist(() => this.#journal.append(runId, entry));
  }

  #remember(runId: string, checkpoint: string | null): string | null {
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= KNOWN_RUNS) this.#known.delete(oldest);
    this.#known.set(runId, checkpoint);
    return checkpoint;
  }
}

/** Copies the stop of a run to its retry, which belongs to the same turn: trying again is no permission. */
export function carryStop(
  journal: RunJournal,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  const stop = journal.newest(from, RUN_STEP, 'stop');
  if (stop === null || journal.newest(to, RUN_STEP, 'stop') !== null) return;
  journal.append(to, { step: RUN_STEP, kind: 'stop', payload: stop.payload });
}

/** The refusal of a call after the user stopped its run or its skill. `what` they stopped, in words. */
export function userStop(what: string): AppError {
  const why = `The user stopped ${what}. Make no more calls in this turn: say what was done and what was not, and end.`;
  return new AppError('TOOL_DENIED', why, { details: { isUserStop: true } });
}

export function isUserStop(error: unknown): boolean {
  return error instanceof AppError && error.details.isUserStop === true;
}
