import { Worker } from 'node:worker_threads';
import { AppError } from '#contract/errors.ts';
import { RunningTime } from '../base/running-time.ts';
import type { ParsedDocument, ParseJob } from './parse-document.ts';
import type { DocumentLimits } from './types.ts';
import { unreadable } from './unreadable.ts';
import type { WorkerAnswer, WorkerJob } from './worker-messages.ts';

/** An idle thread costs some 50 MB. */
const IDLE_MS = 30_000;
const WATCH_MS = 100;
/** Limit of the JavaScript heap alone; buffers are watched from outside. */
const HEAP_MB = 512;

interface ThreadJob extends ParseJob {
  /** Time limit of the parsing alone, without the time in the queue. */
  readonly timeMs: number;
}

interface Current {
  readonly id: number;
  readonly settle: (outcome: ParsedDocument | unknown, ok: boolean) => void;
}

/** One thread that parses one document at a time: started on demand, ended when idle or over a limit. */
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

  /** Parses in the thread, in the order of the calls. `bytes` is detached afterwards. */
  parse(
    bytes: Uint8Array<ArrayBuffer>,
    job: ThreadJob,
    signal?: AbortSignal,
  ): Promise<ParsedDocument> {
    const turn = this.#queue.then(() => this.#run(bytes, job, signal));
    // The next document waits for this one, however this one ends.
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
  ): Promise<ParsedDocument> {
    const signals = [this.#closed.signal, ...(given === undefined ? [] : [given])];
    const signal = AbortSignal.any(signals);
    signal.throwIfAborted();
    if (this.#idle !== null) clearTimeout(this.#idle);
    const worker = this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<ParsedDocument>();
    this.#lastId += 1;
    const id = this.#lastId;
    this.#current = {
      id,
      settle: (outcome, ok) => (ok ? resolve(outcome as ParsedDocument) : reject(outcome)),
    };
    const stop = (reason: unknown): void => {
      reject(reason);
      void this.#end();
    };
    const onAbort = (): void => stop(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const { timeMs } = job;
    using _limit = new RunningTime({ ms: timeMs, onReached: () => stop(timeExceeded(timeMs)) });
    const watch = this.#watchMemory(stop);
    // A running thread keeps the process alive.
    worker.ref();
    try {
      worker.postMessage({ ...job, id, bytes } satisfies WorkerJob, [bytes.buffer]);
      return await promise;
    } finally {
      clearInterval(watch);
      signal.removeEventListener('abort', onAbort);
      this.#current = null;
      this.#startIdleTimer();
    }
  }

  /** The limits of a thread do not count its buffers, but the memory of the process does. */
  #watchMemory(stop: (reason: unknown) => void): NodeJS.Timeout {
    const before = process.memoryUsage.rss();
    const { memoryBytes } = this.#limits;
    return setInterval(() => {
      if (process.memoryUsage.rss() - before > memoryBytes) stop(memoryExceeded());
    }, WATCH_MS);
  }

  #start(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(this.#file, {
      env: {},
      execArgv: [],
      // Keeps output of libraries out of the user's terminal.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      name: 'documents',
    });
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', (answer: WorkerAnswer) => this.#receive(answer));
    worker.on('error', (error) => this.#onWorkerEnd(worker, error));
    worker.on('exit', () => this.#onWorkerEnd(worker, null));
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #receive(answer: WorkerAnswer): void {
    if (answer.id !== this.#current?.id) return;
    if (answer.ok) this.#current.settle(answer.document, true);
    else this.#current.settle(asError(answer.error), false);
  }

  /** A file that ends the thread counts as unreadable. */
  #onWorkerEnd(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const code = (error as NodeJS.ErrnoException | null)?.code;
    const isMemory = code === 'ERR_WORKER_OUT_OF_MEMORY';
    this.#current?.settle(
      isMemory ? memoryExceeded() : unreadable('The parser for its format failed.', error),
      false,
    );
  }

  #startIdleTimer(): void {
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
  // An error without a code of ours comes from a library that met unexpected input.
  return code === 'INTERNAL'
    ? unreadable('It is damaged: the parser for its format failed.', new Error(message))
    : new AppError(code, message, { details });
}

function timeExceeded(timeMs: number): AppError {
  const seconds = Math.round(timeMs / 100) / 10;
  return new AppError('FILE_TOO_LARGE', `Reading it took longer than ${seconds} seconds.`);
}

function memoryExceeded(): AppError {
  return new AppError('FILE_TOO_LARGE', 'Reading it takes more memory than allowed.');
}
