import type { Clock } from '../base/clock.ts';
import type { WorkClock } from './types.ts';

/** A time limit that stands still while a person is waited for. Aborts `signal` when it is reached. */
export class LimitedWorkClock implements WorkClock, Disposable {
  readonly #clock: Clock;
  readonly #stop: () => void;
  #leftMs: number;
  #since: number;
  #waiting = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(limitMs: number, clock: Clock, stop: () => void) {
    this.#clock = clock;
    this.#stop = stop;
    this.#leftMs = limitMs;
    this.#since = clock.monotonic();
    this.#start();
  }

  async waitFor<Result>(person: () => Promise<Result>): Promise<Result> {
    if (this.#waiting === 0) this.#halt();
    this.#waiting += 1;
    try {
      return await person();
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#start();
    }
  }

  [Symbol.dispose](): void {
    // One that is over is not started again by a wait that ends later.
    this.#waiting = Number.POSITIVE_INFINITY;
    this.#halt();
  }

  #start(): void {
    this.#since = this.#clock.monotonic();
    this.#timer = setTimeout(this.#stop, Math.max(0, this.#leftMs));
    this.#timer.unref();
  }

  #halt(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#leftMs -= this.#clock.monotonic() - this.#since;
  }
}
