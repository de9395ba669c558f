import { realpathSync } from 'node:fs';
import path from 'node:path';
import { AppError, type ErrorEnvelope } from '#contract/errors.ts';
import { raceAbort } from '../base/abort.ts';
import { RunningTime } from '../base/running-time.ts';
import { workerFile } from '../base/worker-file.ts';
import {
  type HostProcess,
  type StartHostProcess,
  startNodeHost,
} from '../models/embedded/host-process.ts';

/** An idle process costs some 100 MB. */
const IDLE_MS = 30_000;
const HEAP_MB = 512;

/** The answer of the process, one for each job. */
export type ConfinedAnswer<Result> =
  | { readonly id: number; readonly ok: true; readonly result: Result }
  | { readonly id: number; readonly ok: false; readonly error: ErrorEnvelope };

export interface ConfinedProgram {
  /** The app's folder. */
  readonly root: string;
  /** The name of its file, without the ending. */
  readonly name: string;
  /** The folder of its source. */
  readonly sourceDir: string;
  /** Passed to the program as JSON. */
  readonly options: unknown;
  /** Milliseconds for one job. */
  readonly timeMs: number;
  /** The error of a job that ended the process, or that failed without a code of ours. */
  readonly failed: (cause?: Error) => AppError;
  /** The error of a job that took too long. */
  readonly tooSlow: (timeMs: number) => AppError;
  readonly start?: StartHostProcess | undefined;
}

interface Running {
  readonly child: HostProcess;
  idle: NodeJS.Timeout | null;
}

interface Current<Result> {
  readonly id: number;
  readonly child: HostProcess;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A process for what others made, one job at a time: confined, started on demand, ended when idle, over its time or
 * aborted. Disposing ends a running job with `CANCELLED`.
 */
export class ConfinedProcess<Job extends object, Result> implements AsyncDisposable {
  readonly #program: ConfinedProgram;
  readonly #closed = new AbortController();
  #running: Running | null = null;
  #current: Current<Result> | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #lastId = 0;

  constructor(program: ConfinedProgram) {
    this.#program = program;
  }

  /** Runs in the order of the calls. Throws what the program answers, and the errors of `ConfinedProgram`. */
  async run(job: Job, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    const turn = this.#queue.then(() => this.#run(job, signal));
    // The next job waits for this one, however this one ends.
    this.#queue = turn.catch(() => undefined);
    return await (signal === undefined ? turn : raceAbort(turn, signal));
  }

  /** Ends the process; the next job starts another one. */
  end(): void {
    const running = this.#running;
    this.#running = null;
    if (running === null) return;
    if (running.idle !== null) clearTimeout(running.idle);
    running.child.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort(new AppError('CANCELLED', 'The app is closing.'));
    await this.#queue;
    this.end();
  }

  async #run(job: Job, given: AbortSignal | undefined): Promise<Result> {
    const signals = [this.#closed.signal, ...(given === undefined ? [] : [given])];
    const signal = AbortSignal.any(signals);
    signal.throwIfAborted();
    const { child } = this.#ready();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#lastId += 1;
    const id = this.#lastId;
    this.#current = { id, child, resolve, reject };
    const stop = (reason: unknown): void => {
      reject(reason);
      this.end();
    };
    const onAbort = (): void => stop(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const { timeMs, tooSlow } = this.#program;
    using _limit = new RunningTime({ ms: timeMs, onReached: () => stop(tooSlow(timeMs)) });
    child.setBusy(true);
    try {
      child.send({ ...job, id });
      return await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#current = null;
      this.#rest();
    }
  }

  #ready(): Running {
    if (this.#running !== null) {
      if (this.#running.idle !== null) clearTimeout(this.#running.idle);
      return this.#running;
    }
    const { root, name, sourceDir, options, start = startNodeHost } = this.#program;
    const child = start(workerFile(name, { sourceDir, root }), [JSON.stringify(options)], {
      heapMb: HEAP_MB,
      readsOnly: foldersOf(root),
    });
    const running: Running = { child, idle: null };
    child.onMessage((message) => this.#receive(message as ConfinedAnswer<Result>));
    // Read, so that a full pipe does not stop it.
    child.onErrorText(() => undefined);
    child.onEnd(() => this.#onEnd(child));
    this.#running = running;
    return running;
  }

  #receive(answer: ConfinedAnswer<Result>): void {
    if (answer.id !== this.#current?.id) return;
    if (answer.ok) this.#current.resolve(answer.result);
    else this.#current.reject(this.#asError(answer.error));
  }

  #asError({ code, message, details }: ErrorEnvelope): AppError {
    // An error without a code of ours comes from a library that met unexpected input.
    return code === 'INTERNAL'
      ? this.#program.failed(new Error(message))
      : new AppError(code, message, { details });
  }

  #onEnd(child: HostProcess): void {
    if (this.#running?.child === child) this.#running = null;
    if (this.#current?.child !== child) return;
    this.#current.reject(this.#program.failed());
  }

  #rest(): void {
    const running = this.#running;
    if (running === null) return;
    running.child.setBusy(false);
    running.idle = setTimeout(() => this.end(), IDLE_MS);
    running.idle.unref();
  }
}

/** Where the program and its libraries are: libraries may be linked from elsewhere. */
function foldersOf(root: string): string[] {
  return [root, realpathSync(path.join(root, 'node_modules'))];
}
