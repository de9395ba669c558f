import { AppError } from '#contract/errors.ts';
import type { RunRecord } from './run-record.ts';

/** A run whose end or state was told, for which the disk had no room. */
export type UnsavedRun = Pick<RunRecord, 'run' | 'storeRest'>;

/** How often a disk that failed is asked whether it works again. */
const AGAIN_MS = 5_000;

/**
 * Runs that a failing disk did not take the end or the state of. It is asked again and again: until they
 * are saved, a window that is opened would take them for running.
 */
export class UnsavedRuns {
  readonly #runs = new Set<UnsavedRun>();
  #timer: NodeJS.Timeout | null = null;

  add(run: UnsavedRun): void {
    this.#runs.add(run);
    this.#timer ??= setInterval(() => this.save(), AGAIN_MS).unref();
  }

  /** Stores what the disk takes now. Never throws. */
  save(): void {
    for (const unsaved of this.#runs) if (unsaved.storeRest()) this.#runs.delete(unsaved);
    if (this.#runs.size === 0) this.stop();
  }

  /** Throws `DISK_FULL` for a run of which something is still not saved. */
  check(runId: string): void {
    if (![...this.#runs].some(({ run }) => run.id === runId)) return;
    throw new AppError('DISK_FULL', 'The disk still takes nothing. Free some space and try again.');
  }

  forgetThread(threadId: string): void {
    for (const unsaved of this.#runs) {
      if (unsaved.run.threadId === threadId) this.#runs.delete(unsaved);
    }
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}
