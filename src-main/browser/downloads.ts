import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Download } from 'playwright-core';
import { AppError } from '#contract/errors.ts';
import type { BrowserFiles } from './types.ts';

/** All downloads of a task that run at a time, in bytes, and each of them in ms. */
const MOST_BYTES = 500_000_000;
const MOST_MS = 10 * 60_000;
const MOST_AT_ONCE = 5;
const LOOK_EVERY_MS = 500;

export interface FinishedDownload {
  readonly name: string;
  /** In the workspace; null where it did not get there. */
  readonly path: string | null;
  readonly problem?: string;
}

/** Moves what pages download into the workspace of the task, within limits. */
export class DownloadKeeper implements Disposable {
  readonly #dir: string;
  readonly #running = new Map<Download, { readonly since: number; problem: string | null }>();
  #finished: FinishedDownload[] = [];
  #timer: NodeJS.Timeout | null = null;

  /** `dir` is where Chromium puts them meanwhile. */
  constructor(dir: string) {
    this.#dir = dir;
  }

  add(download: Download, files: BrowserFiles): void {
    const name = nameOf(download);
    if (this.#running.size >= MOST_AT_ONCE) {
      download.cancel().catch(() => undefined);
      this.#end({ name, path: null, problem: `was refused: ${MOST_AT_ONCE} are running` });
      return;
    }
    const state = { since: performance.now(), problem: null as string | null };
    this.#running.set(download, state);
    this.#timer ??= setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
    void this.#finish(download, { name, files, state });
  }

  /** What has ended since the last look, and what still runs. */
  async take(): Promise<readonly FinishedDownload[]> {
    // A short one ends with the action that started it.
    const until = performance.now() + 1_000;
    while (this.#running.size > 0 && this.#finished.length === 0 && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    const running = [...this.#running.keys()].map((download) => ({
      ...{ name: nameOf(download), path: null },
      problem: 'is running: it is in downloads/ once it is done',
    }));
    const finished = this.#finished;
    this.#finished = [];
    return [...finished, ...running];
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    for (const download of this.#running.keys()) download.cancel().catch(() => undefined);
    this.#running.clear();
  }

  async #finish(
    download: Download,
    {
      name,
      files,
      state,
    }: {
      readonly name: string;
      readonly files: BrowserFiles;
      readonly state: { problem: string | null };
    },
  ): Promise<void> {
    try {
      const file = await download.path();
      const stored = await files.add(name, file);
      this.#end({ name, path: stored });
    } catch (error) {
      const why = error instanceof AppError ? `failed: ${error.message}` : 'failed';
      this.#end({ name, path: null, problem: state.problem ?? why });
    } finally {
      this.#running.delete(download);
      download.delete().catch(() => undefined);
      if (this.#running.size === 0 && this.#timer !== null) {
        clearInterval(this.#timer);
        this.#timer = null;
      }
    }
  }

  #end(download: FinishedDownload): void {
    if (this.#finished.length < 20) this.#finished.push(download);
  }

  async #look(): Promise<void> {
    const bytes = await sizeOf(this.#dir);
    for (const [download, state] of this.#running) {
      const isLong = performance.now() - state.since > MOST_MS;
      if (bytes <= MOST_BYTES && !isLong) continue;
      state.problem = isLong ? 'was stopped after 10 minutes' : 'was stopped: it is over 500 MB';
      download.cancel().catch(() => undefined);
    }
  }
}

/** The name that a page gave, as the name of a file. */
function nameOf(download: Download): string {
  const name = path.posix.basename(download.suggestedFilename().replaceAll('\\', '/'));
  const plain = name.replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
  return plain === '' || /^\.+$/.test(plain)
    ? `download-${randomUUID().slice(0, 8)}`
    : plain.slice(0, 120);
}

async function sizeOf(dir: string): Promise<number> {
  try {
    const sizes = (await readdir(dir)).map(async (name) => (await stat(path.join(dir, name))).size);
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  } catch {
    // A file that was moved away meanwhile.
    return 0;
  }
}
