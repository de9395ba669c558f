/** How often the elapsed time is sampled. */
const SAMPLE_MS = 250;
/** A sample this late means that the process was busy or suspended. */
const LATE_MS = 1_000;
/** A busy process used the processor for at least this share of the time, however loaded the machine is. */
const BUSY_SHARE = 0.1;

export interface RunningLimit {
  readonly ms: number;
  /** Called once when that much time has passed, unless disposed before. */
  readonly onReached: () => void;
  /** Whether the timer keeps the process alive; true if not given. */
  readonly keepsProcess?: boolean;
}

/**
 * Time that passed while this process was running, with an optional limit. Time in which it was suspended,
 * by a signal or because the computer slept, does not count: a sample that comes late although the process
 * used no processor time gives it away. Time spent computing or waiting counts.
 */
export class RunningTime implements Disposable {
  readonly #limit: RunningLimit | null;
  #passedMs = 0;
  #sampledAt = performance.now();
  #cpu = process.cpuUsage();
  #timer: NodeJS.Timeout | null = null;

  constructor(limit: RunningLimit | null = null) {
    this.#limit = limit;
    this.#schedule();
  }

  /** Milliseconds since the start or the last `restart`. */
  get passedMs(): number {
    this.#sample();
    return this.#passedMs;
  }

  /** Starts again at 0. */
  restart(): void {
    this.#sample();
    this.#passedMs = 0;
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #schedule(): void {
    const leftMs = (this.#limit?.ms ?? Number.POSITIVE_INFINITY) - this.#passedMs;
    const timer = setTimeout(
      () => this.#onTimer(),
      Math.max(0, Math.ceil(Math.min(SAMPLE_MS, leftMs))),
    );
    if (this.#limit?.keepsProcess === false || this.#limit === null) timer.unref();
    this.#timer = timer;
  }

  #onTimer(): void {
    const { passedMs } = this;
    if (this.#limit === null || passedMs < this.#limit.ms) {
      this.#schedule();
      return;
    }
    this.#timer = null;
    this.#limit.onReached();
  }

  #sample(): void {
    const now = performance.now();
    const gapMs = now - this.#sampledAt;
    const { user, system } = process.cpuUsage(this.#cpu);
    const computedMs = (user + system) / 1_000;
    const wasSuspended = gapMs > SAMPLE_MS + LATE_MS && computedMs < SAMPLE_MS + gapMs * BUSY_SHARE;
    this.#passedMs += wasSuspended ? computedMs : gapMs;
    this.#sampledAt = now;
    this.#cpu = process.cpuUsage();
  }
}

/** A signal that aborts with a `TimeoutError` after `ms` of running time. Does not keep the process alive. */
export function timeLimit(ms: number): AbortSignal {
  const controller = new AbortController();
  const onReached = (): void =>
    controller.abort(new DOMException('It took longer than its time limit', 'TimeoutError'));
  new RunningTime({ ms, onReached, keepsProcess: false });
  return controller.signal;
}
