import type { Readable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';

/** Bytes allowed at once, and per second afterwards. */
const BURST_BYTES = 8 * 1024 * 1024;
const BYTES_PER_SECOND = 24 * 1024 * 1024;

/**
 * Keeps a flood of output from overwhelming this process: after the burst, a stream is paused in proportion
 * to its excess bytes, the pipe fills, and the program that prints has to wait. Nothing is lost, and a program
 * that prints forever hits its time limit.
 */
export class ReadingPace {
  readonly #clock: Clock;
  #allowance = BURST_BYTES;
  #countedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#countedAt = clock.monotonic();
  }

  count(bytes: number, stream: Readable): void {
    const now = this.#clock.monotonic();
    const earned = ((now - this.#countedAt) / 1000) * BYTES_PER_SECOND;
    this.#countedAt = now;
    this.#allowance = Math.min(BURST_BYTES, this.#allowance + earned) - bytes;
    if (this.#allowance >= 0) return;
    stream.pause();
    const pauseMs = Math.max(10, (-this.#allowance / BYTES_PER_SECOND) * 1000);
    setTimeout(() => stream.resume(), pauseMs).unref();
  }
}
