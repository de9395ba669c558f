import { AppError } from '#contract/errors.ts';
import type { RunRecord } from './run-record.ts';

/** A run whose end or state was published but could not be stored. */
export type UnsavedRun = Pick<RunRecord, 'run' | 'storeUnsaved'>;

/** How often storing is tried again. */
const RETRY_MS = 5_000;

/**
 * Runs whose end or state a failing disk did not take. Storing is retried, because until it succeeds a new
 * window would show them as running.
 */
export class UnsavedRuns {
  readonly #runs = new Set<UnsavedRun>();
  #timer: NodeJS.Timeout | null = null;

  add(run: UnsavedRun): void {
    this.#runs.add(run);
    this.#timer ??= setInterval(() => this.save(), RETRY_MS).unref();
  }

  /** Stores what the disk accepts now. Never throws. */
  save(): void {
    for (const unsaved of this.#runs) if (unsaved.storeUnsaved()) this.#runs.delete(unsaved);
    if (this.#runs.size === 0) this.stop();
  }

  /** Throws `DISK_FULL` if the run is still not saved. */
  check(runId: string): void {
    if (![...this.#runs].some(({ run }) => run.id === runId)) return;
    throw new AppError('DISK_FULL', 'The disk is still full. Free some space and try again.');
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
