import { existsSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

export interface MainLoopLimits {
  /** Milliseconds after which it is logged that the main thread stands, and where. */
  readonly tellMs: number;
  /** Milliseconds after which the process is ended, where half of them were spent computing. */
  readonly endMs: number;
}

export interface MainLoopWatchOptions extends Partial<MainLoopLimits> {
  /** The folder of `package.json`. */
  readonly root: string;
  /** Where the log is. */
  readonly logsDir: string;
}

/** What the worker is started with. */
export interface WatchStart extends MainLoopLimits {
  /** Grows by one with each beat. */
  readonly beats: Int32Array;
  readonly logsDir: string;
}

const BEAT_MS = 200;
const TELL_MS = 2_000;
const END_MS = 10_000;

/**
 * Watches from another thread that this one goes on, until it is disposed. A loop that never ends is logged
 * with its stack, and then ends the process, which nothing else could. Keeps no process alive.
 */
export function watchMainLoop({
  root,
  logsDir,
  tellMs = TELL_MS,
  endMs = END_MS,
}: MainLoopWatchOptions): AsyncDisposable {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const beating = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
  const worker = new Worker(workerFile(root), {
    workerData: { beats, logsDir, tellMs, endMs } satisfies WatchStart,
    ...{ env: {}, execArgv: [], name: 'main-loop' },
  });
  // Without a watch the app works as well as with one.
  worker.on('error', () => undefined);
  worker.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(beating);
      await worker.terminate();
    },
  };
}

function workerFile(root: string): string {
  const source = path.join(import.meta.dirname, 'watch-worker.ts');
  return existsSync(source) ? source : path.join(root, 'out', 'main', 'watch-worker.js');
}
