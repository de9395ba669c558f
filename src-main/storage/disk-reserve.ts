import { rmSync } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import type { Logger } from '../base/logger.ts';

/** Enough to store the last events of several runs; as a fallback, of one. */
const RESERVE_BYTES = [2 * 1024 * 1024, 256 * 1024];

/**
 * Reserved space, freed when the disk is full, so that a run that ends for lack of space can still store how
 * it ended.
 */
export class DiskReserve implements AsyncDisposable {
  readonly #file: string;
  readonly #logger: Logger;
  #isReleased = false;
  #isClosed = false;
  #taking: Promise<void> = Promise.resolve();

  constructor(file: string, logger: Logger) {
    this.#file = file;
    this.#logger = logger;
  }

  /** Reserves the space, or as much as there is. Never throws: the reserve is optional. */
  take(): Promise<void> {
    this.#taking = this.#taking.then(() => this.#take());
    return this.#taking;
  }

  async #take(): Promise<void> {
    if (this.#isClosed) return;
    for (const bytes of RESERVE_BYTES) {
      try {
        const found = await stat(this.#file).catch(() => null);
        // Not zeros: a compressing file system would reserve nothing.
        if (found === null || found.size < bytes) {
          await writeFile(this.#file, noise(bytes), { mode: 0o600 });
        }
        return;
      } catch (error) {
        this.#logger.warn('Disk space cannot be reserved', { bytes, error });
        await rm(this.#file, { force: true }).catch(() => undefined);
      }
    }
  }

  /** Reserves the space again if it was released. Never throws. */
  async takeAgain(): Promise<void> {
    if (!this.#isReleased) return;
    this.#isReleased = false;
    await this.take();
  }

  /** Frees the space. Synchronous, because the caller is about to write. */
  release(): void {
    this.#isReleased = true;
    try {
      rmSync(this.#file, { force: true });
    } catch (error) {
      this.#logger.warn('The reserved disk space cannot be freed', { error });
    }
  }

  /** Waits for what is being written; nothing is written after it, into a folder that is deleted for example. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#taking;
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
