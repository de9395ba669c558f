import { RunningTime } from '../base/running-time.ts';
import type { WorkClock } from './types.ts';

/** A time limit that is paused while the user's answer is awaited. Calls `stop` when it is reached. */
export class LimitedWorkClock implements WorkClock, Disposable {
  readonly #stop: () => void;
  #leftMs: number;
  #waiting = 0;
  #time: RunningTime | null = null;

  constructor(limitMs: number, stop: () => void) {
    this.#stop = stop;
    this.#leftMs = limitMs;
    this.#start();
  }

  async waitFor<Result>(answer: () => Promise<Result>): Promise<Result> {
    if (this.#waiting === 0) this.#halt();
    this.#waiting += 1;
    try {
      return await answer();
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#start();
    }
  }

  [Symbol.dispose](): void {
    // A wait that ends later must not start the clock again.
    this.#waiting = Number.POSITIVE_INFINITY;
    this.#halt();
  }

  #start(): void {
    const limit = { ms: Math.max(0, this.#leftMs), onReached: this.#stop, keepsProcess: false };
    this.#time = new RunningTime(limit);
  }

  #halt(): void {
    if (this.#time === null) return;
    this.#leftMs -= this.#time.passedMs;
    this.#time[Symbol.dispose]();
    this.#time = null;
  }
}
