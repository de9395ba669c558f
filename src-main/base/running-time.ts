/** How often the time that passed is looked at. */
const LOOK_MS = 250;
/** A look that comes later than this tells of a process that was busy, or stood still. */
const LATE_MS = 1_000;
/** One that was busy computed for this share of the time at least, however many others share the processor. */
const BUSY_SHARE = 0.1;

export interface RunningLimit {
  readonly ms: number;
  /** Called once when that much time has passed, unless it was disposed before. */
  readonly onReached: () => void;
  /** Whether a process stays for it; it does if not given. */
  readonly keepsProcess?: boolean;
}

/**
 * Time that passed while this process ran, and a limit of it. What the process stood still, stopped by a
 * signal or with the computer asleep, does not count: a clock that is late although nothing was computed
 * stood with it. What is busy, slow or waited for counts.
 */
export class RunningTime implements Disposable {
  readonly #limit: RunningLimit | null;
  #passedMs = 0;
  #lookedAt = performance.now();
  #cpu = process.cpuUsage();
  #timer: NodeJS.Timeout | null = null;

  constructor(limit: RunningLimit | null = null) {
    this.#limit = limit;
    this.#schedule();
  }

  /** Milliseconds since the start or the last `restart`. */
  get passedMs(): number {
    this.#look();
    return this.#passedMs;
  }

  /** Begins again at 0. */
  restart(): void {
    this.#look();
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
      Math.max(0, Math.ceil(Math.min(LOOK_MS, leftMs))),
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

  #look(): void {
    const now = performance.now();
    const gapMs = now - this.#lookedAt;
    const { user, system } = process.cpuUsage(this.#cpu);
    const computedMs = (user + system) / 1_000;
    const stood = gapMs > LOOK_MS + LATE_MS && computedMs < LOOK_MS + gapMs * BUSY_SHARE;
    this.#passedMs += stood ? computedMs : gapMs;
    this.#lookedAt = now;
    this.#cpu = process.cpuUsage();
  }
}

/** A signal that aborts with a `TimeoutError` when the process ran for so long. Keeps no process alive. */
export function timeLimit(ms: number): AbortSignal {
  const controller = new AbortController();
  const onReached = (): void =>
    controller.abort(new DOMException('It took longer than its time limit', 'TimeoutError'));
  new RunningTime({ ms, onReached, keepsProcess: false });
  return controller.signal;
}
