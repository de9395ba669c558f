import { type TransferListItem, Worker } from 'node:worker_threads';
import { RunningTime } from './running-time.ts';

/** An idle thread costs some 50 MB. */
const IDLE_MS = 30_000;
const WATCH_MS = 100;
/** Limit of the JavaScript heap alone; buffers are watched from outside. */
const HEAP_MB = 512;

/** A job in the thread, and its answer there. */
export type JobMessage<Job> = { readonly id: number; readonly job: Job };
export type JobAnswer<Result, Failure> =
  | { readonly id: number; readonly ok: true; readonly result: Result }
  | { readonly id: number; readonly ok: false; readonly failure: Failure };

export interface JobThreadOptions<Failure> {
  /** Of the thread, for debuggers. */
  readonly name: string;
  /** By which the memory of the process may grow while a job runs. */
  readonly memoryBytes: number;
  /** The errors of jobs. */
  readonly errors: {
    failed(failure: Failure): Error;
    /** The thread itself ended. */
    ended(cause: unknown): Error;
    timeExceeded(ms: number): Error;
    memoryExceeded(): Error;
    closing(): Error;
  };
}

interface RunOptions {
  /** Time limit of the job alone, without the time in the queue. */
  readonly timeMs: number;
  readonly transfer?: readonly TransferListItem[];
  readonly signal?: AbortSignal | undefined;
}

interface Current<Result, Failure> {
  readonly id: number;
  readonly answer: (answer: JobAnswer<Result, Failure>) => void;
  readonly fail: (error: unknown) => void;
}

/** One thread that does one job at a time: started on demand, ended when idle or over a limit. */
export class JobThread<Job, Result, Failure> implements AsyncDisposable {
  readonly #file: string;
  readonly #options: JobThreadOptions<Failure>;
  readonly #closed = new AbortController();
  #worker: Worker | null = null;
  #current: Current<Result, Failure> | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | null = null;
  #lastId = 0;

  /** `file` answers each `JobMessage` with a `JobAnswer`. */
  constructor(file: string, options: JobThreadOptions<Failure>) {
    this.#file = file;
    this.#options = options;
  }

  /** Runs in the thread, in the order of the calls. What is transferred is detached afterwards. */
  run(job: Job, options: RunOptions): Promise<Result> {
    const turn = this.#queue.then(() => this.#run(job, options));
    // The next job waits for this one, however this one ends.
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort(this.#options.errors.closing());
    await this.#queue;
    await this.#end();
  }

  async #run(job: Job, { timeMs, transfer = [], signal: given }: RunOptions): Promise<Result> {
    const { errors, memoryBytes } = this.#options;
    const signals = [this.#closed.signal, ...(given === undefined ? [] : [given])];
    const signal = AbortSignal.any(signals);
    signal.throwIfAborted();
    if (this.#idle !== null) clearTimeout(this.#idle);
    const worker = this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#lastId += 1;
    const id = this.#lastId;
    this.#current = {
      id,
      answer: (answer) => {
        if (answer.ok) resolve(answer.result);
        else reject(errors.failed(answer.failure));
      },
      fail: reject,
    };
    const stop = (reason: unknown): void => {
      reject(reason);
      void this.#end();
    };
    const onAbort = (): void => stop(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    using _limit = new RunningTime({
      ms: timeMs,
      onReached: () => stop(errors.timeExceeded(timeMs)),
    });
    // The limits of a thread do not count its buffers, but the memory of the process does.
    const before = process.memoryUsage.rss();
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > memoryBytes) stop(errors.memoryExceeded());
    }, WATCH_MS);
    // A running thread keeps the process alive.
    worker.ref();
    try {
      worker.postMessage({ id, job } satisfies JobMessage<Job>, transfer);
      return await promise;
    } finally {
      clearInterval(watch);
      signal.removeEventListener('abort', onAbort);
      this.#current = null;
      this.#startIdleTimer();
    }
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
      name: this.#options.name,
    });
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', (answer: JobAnswer<Result, Failure>) => {
      if (answer.id === this.#current?.id) this.#current.answer(answer);
    });
    worker.on('error', (error) => this.#onWorkerEnd(worker, error));
    worker.on('exit', () => this.#onWorkerEnd(worker, null));
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #onWorkerEnd(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const { errors } = this.#options;
    const code = (error as NodeJS.ErrnoException | null)?.code;
    const isMemory = code === 'ERR_WORKER_OUT_OF_MEMORY';
    this.#current?.fail(isMemory ? errors.memoryExceeded() : errors.ended(error));
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
