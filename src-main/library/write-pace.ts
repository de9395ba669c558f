import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LibraryStore } from '../storage/library-types.ts';

/** Characters of text that one transaction indexes, about 10 ms of work. */
const CHARS = 40_000;
const STEPS = 100;
/** A slow machine gets shorter transactions, not longer waits. */
const BUDGET_MS = 15;

/**
 * Gathers small writes into transactions that are long enough to be worth a sync of the disk, and short
 * enough that nobody waits for them.
 */
export class WritePace {
  readonly #store: LibraryStore;
  #steps: (() => void)[] = [];
  #chars = 0;

  constructor(store: LibraryStore) {
    this.#store = store;
  }

  /** Does `work` soon, in order. `chars` is how much text it puts into the index. */
  async add(work: () => void, chars = 0): Promise<void> {
    this.#steps.push(work);
    this.#chars += chars;
    if (this.#chars >= CHARS || this.#steps.length >= STEPS) await this.flush();
  }

  /** Does what is left. Throws `DISK_FULL`, `STORAGE_FAILED`. */
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
