import { Worker } from 'node:worker_threads';
import { workerFile } from '../base/worker-file.ts';

export interface MainLoopLimits {
  /** Milliseconds after which a blocked main thread is logged, with its stack. */
  readonly logMs: number;
  /** Milliseconds after which the process is ended, if it spent half of them computing. */
  readonly endMs: number;
}

export interface MainLoopWatchOptions extends Partial<MainLoopLimits> {
  /** The folder of `package.json`. */
  readonly root: string;
  /** The folder of the log. */
  readonly logsDir: string;
}

/** The worker's data. */
export interface WatchStart extends MainLoopLimits {
  /** Grows by one with each beat. */
  readonly beats: Int32Array;
  readonly logsDir: string;
}

const BEAT_MS = 200;
const LOG_MS = 2_000;
const END_MS = 10_000;

/**
 * Watches this thread from another one, until disposed. An endless loop is logged with its stack, and then
 * the process is ended, which nothing else could do. Does not keep the process alive.
 */
export function watchMainLoop({
  root,
  logsDir,
  logMs = LOG_MS,
  endMs = END_MS,
}: MainLoopWatchOptions): AsyncDisposable {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const beating = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
  const file = workerFile('watch-worker', { sourceDir: import.meta.dirname, root });
  const worker = new Worker(file, {
    workerData: { beats, logsDir, logMs, endMs } satisfies WatchStart,
    env: {},
    execArgv: [],
    name: 'main-loop',
  });
  // The app works without the watch.
  worker.on('error', () => undefined);
  worker.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(beating);
      await worker.terminate();
    },
  };
}
