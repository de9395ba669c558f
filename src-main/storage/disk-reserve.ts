import { rmSync } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import type { Logger } from '../base/logger.ts';

/** Enough for the last events of several runs, with what SQLite needs to write them; or of one. */
const RESERVE_BYTES = [2 * 1024 * 1024, 256 * 1024];

/**
 * Space of our own on the disk, given up when it is full, so that a run that ends for lack of space
 * can still be told how it ended.
 */
export class DiskReserve {
  readonly #file: string;
  readonly #logger: Logger;
  #isGivenUp = false;

  constructor(file: string, logger: Logger) {
    this.#file = file;
    this.#logger = logger;
  }

  /** Takes the space, or as much as there is. Never throws: without it only the courtesy is missing. */
  async take(): Promise<void> {
    for (const bytes of RESERVE_BYTES) {
      try {
        const found = await stat(this.#file).catch(() => null);
        // Not zeros: file systems that compress would reserve nothing.
        if (found === null || found.size < bytes) {
          await writeFile(this.#file, noise(bytes), { mode: 0o600 });
        }
        return;
      } catch (error) {
        this.#logger.warn('So much space cannot be kept in reserve', { bytes, error });
        await rm(this.#file, { force: true });
      }
    }
  }

  /** Takes the space again where it was given up. Never throws. */
  async takeAgain(): Promise<void> {
    if (!this.#isGivenUp) return;
    this.#isGivenUp = false;
    await this.take();
  }

  /** Gives the space up; at once, for the caller is about to write. */
  release(): void {
    this.#isGivenUp = true;
    try {
      rmSync(this.#file, { force: true });
    } catch (error) {
      this.#logger.warn('The reserve could not be given up', { error });
    }
  }
}

function noise(bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  let state = 0x9e3779b9;
  for (let offset = 0; offset < bytes; offset += 4) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    buffer.writeUInt32LE(state, offset);
  }
  return buffer;
}
