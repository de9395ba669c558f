import { Worker } from 'node:worker_threads';
import { AppError } from '#contract/errors.ts';
import { RunningTime } from '../base/running-time.ts';
import type { ParseJob } from './parse-document.ts';
import type { DocumentLimits, ExtractedDocument } from './types.ts';
import { unreadable } from './unreadable.ts';
import type { WorkerAnswer, WorkerJob } from './worker-messages.ts';

/** A thread that nobody needs costs some 50 MB. */
const IDLE_MS = 30_000;
const WATCH_MS = 100;
/** Of the script engine alone; buffers are watched from outside. */
const HEAP_MB = 512;

interface ThreadJob extends ParseJob {
  /** For the parsing alone: the wait for others is not in it. */
  readonly timeMs: number;
}

interface Current {
  readonly id: number;
  readonly settle: (outcome: ExtractedDocument | unknown, ok: boolean) => void;
}

/** One thread, one document at a time, started when needed and ended when idle or over a limit. */
export class DocumentThread implements AsyncDisposable {
  readonly #file: string;
  readonly #limits: DocumentLimits;
  readonly #closed = new AbortController();
  #worker: Worker | null = null;
  #current: Current | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | null = null;
  #lastId = 0;

  constructor(file: string, limits: DocumentLimits) {
    this.#file = file;
    this.#limits = limits;
  }

  /** Parses in the thread, after what was asked before. `bytes` is gone afterwards. */
  parse(
    bytes: Uint8Array<ArrayBuffer>,
    job: ThreadJob,
    signal?: AbortSignal,
  ): Promise<ExtractedDocument> {
    const turn = this.#queue.then(() => this.#run(bytes, job, signal));
    // Each waits for the one before it, however that ended.
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort(new AppError('CANCELLED', 'The app is closing.'));
    await this.#queue;
    await this.#end();
  }

  async #run(
    bytes: Uint8Array<ArrayBuffer>,
    job: ThreadJob,
    given: AbortSignal | undefined,
  ): Promise<ExtractedDocument> {
    const signals = [this.#closed.signal, ...(given === undefined ? [] : [given])];
    const signal = AbortSignal.any(signals);
    signal.throwIfAborted();
    if (this.#idle !== null) clearTimeout(this.#idle);
    const worker = this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<ExtractedDocument>();
    this.#lastId += 1;
    const id = this.#lastId;
    this.#current = {
      id,
      settle: (outcome, ok) => (ok ? resolve(outcome as ExtractedDocument) : reject(outcome)),
    };
    const stop = (reason: unknown): void => {
      reject(reason);
      void this.#end();
    };
    const onAbort = (): void => stop(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const { timeMs } = job;
    using _limit = new RunningTime({ ms: timeMs, onReached: () => stop(takesTooLong(timeMs)) });
    const watch = this.#watchMemory(stop);
    // While it works, it keeps a command from ending.
    worker.ref();
    try {
      worker.postMessage({ ...job, id, bytes } satisfies WorkerJob, [bytes.buffer]);
      return await promise;
    } finally {
      clearInterval(watch);
      signal.removeEventListener('abort', onAbort);
      this.#current = null;
      this.#rest();
    }
  }

  /** Buffers of a thread are not counted by its own limits, but they are the process's. */
  #watchMemory(stop: (reason: unknown) => void): NodeJS.Timeout {
    const before = process.memoryUsage.rss();
    const { memoryBytes } = this.#limits;
    return setInterval(() => {
      if (process.memoryUsage.rss() - before > memoryBytes) stop(takesTooMuch());
    }, WATCH_MS);
  }

  #start(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(this.#file, {
      env: {},
      execArgv: [],
      // What libraries print is not for the person's terminal.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      name: 'documents',
    });
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', (answer: WorkerAnswer) => this.#hear(answer));
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', () => this.#lost(worker, null));
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #hear(answer: WorkerAnswer): void {
    if (answer.id !== this.#current?.id) return;
    if (answer.ok) this.#current.settle(answer.document, true);
    else this.#current.settle(asError(answer.error), false);
  }

  /** The thread died of a file, which therefore cannot be read. */
  #lost(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const code = (error as NodeJS.ErrnoException | null)?.code;
    const isMemory = code === 'ERR_WORKER_OUT_OF_MEMORY';
    this.#current?.settle(
      isMemory ? takesTooMuch() : unreadable('The reader of such files failed on it.', error),
      false,
    );
  }

  #rest(): void {
    this.#worker?.unref();
    this.#idle = setTimeout(() => void this.#end(), IDLE_MS);
    this.#idle.unref();
  }

  async #end(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

function asError({ code, message, details }: (WorkerAnswer & { ok: false })['error']): AppError {
  // What is no error of ours came out of a library that met something it did not expect.
  return code === 'INTERNAL'
    ? unreadable('It is broken: the reader of such files failed on it.', new Error(message))
    : new AppError(code, message, { details });
}

function takesTooLong(timeMs: number): AppError {
  const seconds = Math.round(timeMs / 100) / 10;
  return new AppError('FILE_TOO_LARGE', `Reading it took longer than ${seconds} seconds.`);
}

function takesTooMuch(): AppError {
  return new AppError('FILE_TOO_LARGE', 'Reading it takes more memory than it may have.');
}
