import type { Script } from 'node:vm';

export class WatchdogTimeout extends Error {
  constructor(limitMs: number) {
    super(`Stopped after ${limitMs} ms`);
    this.name = 'WatchdogTimeout';
  }
}

/** Where the script finds its work; set only while it runs. */
const WORK = Symbol.for('hyperagent.watched-work');
const slot = globalThis as unknown as Record<symbol, (() => void) | undefined>;

/**
 * Runs synchronous work and stops it after a time limit, even inside a regular expression: the engine
 * checks for that while it backtracks. A script with a time limit is the only way to interrupt the
 * current thread; it is a timer here, not isolation, because all of the code is ours. Costs about 0.15 ms
 * a call for the timer thread, so batch cheap work.
 *
 * The limit is on CPU time. On a busy machine the clock runs while the thread waits for its turn: work that
 * was stopped before using its CPU time is started again, as long as all attempts together stay below it.
 */
export class Watchdog {
  #script: Script | null = null;
  readonly #workedMs: () => number;

  /** `workedMs`: CPU time of this thread so far. */
  constructor(workedMs: () => number = threadMs) {
    this.#workedMs = workedMs;
  }

  /**
   * Returns what `work` returns; it may run more than once. Throws `WatchdogTimeout`, or what `work` throws.
   */
  run<Result>(limitMs: number, work: () => Result): Result {
    const before = this.#workedMs();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return this.#attempt(limitMs, work);
      } catch (error) {
        const usedItsTime = this.#workedMs() - before >= limitMs * WORKED_SHARE;
        if (!(error instanceof WatchdogTimeout) || usedItsTime || attempt === ATTEMPTS) throw error;
      }
    }
  }

  #attempt<Result>(limitMs: number, work: () => Result): Result {
    const { Script } = process.getBuiltinModule('node:vm');
    this.#script ??= new Script(`globalThis[Symbol.for('hyperagent.watched-work')]()`);
    const given: Result[] = [];
    const before = slot[WORK];
    slot[WORK] = () => void given.push(work());
    try {
      this.#script.runInThisContext({ timeout: limitMs });
    } catch (error) {
      if (isTimeout(error)) throw new WatchdogTimeout(limitMs);
      throw error;
    } finally {
      if (before === undefined) delete slot[WORK];
      else slot[WORK] = before;
    }
    return given[0] as Result;
  }
}

/** Share of the limit: thread clocks are coarse on some systems. */
const WORKED_SHARE = 0.8;
/** A thread that gets no CPU time at all is given up. */
const ATTEMPTS = 10;

function threadMs(): number {
  // Node before 23.9 counts all threads together, which only stops work earlier.
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
  return (user + system) / 1000;
}

function isTimeout(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
