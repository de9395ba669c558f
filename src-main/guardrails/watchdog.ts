import type { Script } from 'node:vm';

export class WatchdogTimeout extends Error {
  constructor(limitMs: number) {
    super(`Cut off after ${limitMs} ms`);
    this.name = 'WatchdogTimeout';
  }
}

/** Where the script finds what it is to do; there only while it does it. */
const WORK = Symbol.for('hyperagent.watched-work');
const slot = globalThis as unknown as Record<symbol, (() => void) | undefined>;

/**
 * Does synchronous work, and cuts it off after a time, in the middle of a regular expression too:
 * the engine looks for that while it backtracks. A script with a time limit is the only way to
 * interrupt the thread that one is on; it is a timer here and no wall, all of the code is ours. Costs
 * about 0.15 ms a call, for the thread that holds the clock: cheap work is best done together.
 *
 * The limit is one of work. On a busy machine the clock runs while the thread waits for its turn: what was
 * cut off having worked less than its limit is begun again, as long as all attempts together stay below it.
 */
export class Watchdog {
  #script: Script | null = null;
  readonly #workedMs: () => number;

  /** `workedMs`: time that this thread has worked so far. */
  constructor(workedMs: () => number = threadMs) {
    this.#workedMs = workedMs;
  }

  /**
   * Gives what `work` gives, which may be begun more than once. Throws `WatchdogTimeout`, or what `work`
   * throws.
   */
  run<Result>(limitMs: number, work: () => Result): Result {
    const before = this.#workedMs();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return this.#attempt(limitMs, work);
      } catch (error) {
        const hadItsTime = this.#workedMs() - before >= limitMs * WORKED_SHARE;
        if (!(error instanceof WatchdogTimeout) || hadItsTime || attempt === ATTEMPTS) throw error;
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

/** Of the limit: clocks of threads tick coarsely on some systems. */
const WORKED_SHARE = 0.8;
/** A thread that gets no time at all is not waited for any longer. */
const ATTEMPTS = 10;

function threadMs(): number {
  // Node before 23.9 counts all threads together, which only makes it cut off earlier.
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
  return (user + system) / 1000;
}

function isTimeout(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
