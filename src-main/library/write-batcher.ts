import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LibraryStore } from '../storage/library-types.ts';

/** Indexed characters per transaction, about 10 ms of work. */
const CHARS = 40_000;
const STEPS = 100;
/** On a slow machine transactions become shorter, not the waits longer. */
const BUDGET_MS = 15;

/**
 * Groups small writes into transactions: large enough to be worth a disk sync, short enough not to block
 * searches.
 */
export class WriteBatcher {
  readonly #store: LibraryStore;
  #steps: (() => void)[] = [];
  #chars = 0;

  constructor(store: LibraryStore) {
    this.#store = store;
  }

  /** Queues `work`; the order is kept. `chars` is how much text it puts into the index. */
  async add(work: () => void, chars = 0): Promise<void> {
    this.#steps.push(work);
    this.#chars += chars;
    if (this.#chars >= CHARS || this.#steps.length >= STEPS) await this.flush();
  }

  /** Writes what is queued. Throws `DISK_FULL`, `STORAGE_FAILED`. */
  async flush(): Promise<void> {
    const steps = this.#steps;
    this.#steps = [];
    this.#chars = 0;
    let at = 0;
    while (at < steps.length) {
      const began = performance.now();
      this.#store.transaction(() => {
        do {
          steps[at]?.();
          at += 1;
        } while (at < steps.length && performance.now() - began < BUDGET_MS);
      });
      await nextTurn();
    }
  }
}
