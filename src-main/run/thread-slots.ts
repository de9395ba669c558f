import { AppError } from '#contract/errors.ts';

/**
 * Locks tasks: one run, or one restore of files, per task at a time. So the runs of a task never overlap, and
 * only a run itself changes the files that it works on.
 */
export class ThreadSlots {
  readonly #busy = new Set<string>();

  /** Throws `CONFLICT` while the task is taken. */
  take(threadId: string): void {
    if (this.#busy.has(threadId)) {
      throw new AppError(
        'CONFLICT',
        'This task is still running. Stop its run, or wait until it is done.',
        { details: { threadId } },
      );
    }
    this.#busy.add(threadId);
  }

  free(threadId: string): void {
    this.#busy.delete(threadId);
  }

  /** Holds the task while `work` runs. */
  async during<T>(threadId: string, work: () => Promise<T>): Promise<T> {
    this.take(threadId);
    try {
      return await work();
    } finally {
      this.free(threadId);
    }
  }
}
