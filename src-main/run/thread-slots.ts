import { AppError } from '#contract/errors.ts';

/**
 * Who has a task in hand: one run, or one change of its files, at a time. Runs of a task follow each
 * other, and files do not change under a run but by its own hand.
 */
export class ThreadSlots {
  readonly #busy = new Set<string>();

  /** Throws `CONFLICT` while somebody else has the task. */
  take(threadId: string): void {
    if (this.#busy.has(threadId)) {
      throw new AppError(
        'CONFLICT',
        'This task is still at work. Stop its run, or wait until it is done.',
        { details: { threadId } },
      );
    }
    this.#busy.add(threadId);
  }

  free(threadId: string): void {
    this.#busy.delete(threadId);
  }

  /** Has the task in hand while `work` goes on. */
  async during<T>(threadId: string, work: () => Promise<T>): Promise<T> {
    this.take(threadId);
    try {
      return await work();
    } finally {
      this.free(threadId);
    }
  }
}
