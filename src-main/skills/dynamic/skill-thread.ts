import { Worker } from 'node:worker_threads';
import { AppError } from '#contract/errors.ts';
import type { SkillLanguage } from '#contract/skills.ts';
import { RunningTime, timeLimit } from '../../base/running-time.ts';
import {
  type CallAnswer,
  CONTROL,
  type FromWorker,
  type GuestCall,
  type GuestEnd,
  type GuestExecution,
  type Inspection,
  type ToWorker,
} from './worker-messages.ts';

/** Files of the thread: its program, and the engine. */
export interface ThreadFiles {
  readonly worker: string;
  readonly engine: string;
}

const WATCH_MS = 100;
/** How far over its limit a guest may compute before the thread is stopped from outside. */
const GRACE_MS = 1_000;
/** Heap of the thread's own script engine; the guest's memory is separate. */
const HEAP_MB = 256;
/** Time to read the largest source on a slow machine. */
const INSPECTION_MS = 20_000;

interface Job {
  readonly number: number;
  readonly onMessage: (message: FromWorker) => void;
  readonly onLost: (error: unknown) => void;
}

/** A thread for one execution at a time. It is over once one was stopped or exceeded a limit. */
export class SkillThread {
  readonly #worker: Worker;
  readonly #control = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  #job: Job | null = null;
  #lastJob = 0;
  #isOver = false;

  constructor({ worker, engine }: ThreadFiles) {
    this.#worker = new Worker(worker, {
      workerData: { engine, control: this.#control },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      name: 'skills',
    });
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    this.#worker.on('message', (message: FromWorker) => {
      if (message.job === this.#job?.number) this.#job.onMessage(message);
    });
    this.#worker.on('error', (error) => this.#lost(error));
    this.#worker.on('exit', () => this.#lost(null));
    this.#worker.unref();
  }

  /** Whether nothing more can be run in it. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Throws `SKILL_CODE_INVALID` for a source that cannot even be inspected. */
  inspect(language: SkillLanguage, source: string): Promise<Inspection> {
    const given = { kind: 'inspect', language, source } as const;
    return this.#do<Inspection>(given, {
      signal: timeLimit(INSPECTION_MS),
      turnMs: INSPECTION_MS,
      onMessage: (message, done) => {
        if (message.kind === 'inspected') done(message.inspection);
      },
      onFailure: (error) => {
        if (error instanceof AppError) throw error;
        throw new AppError(
          'SKILL_CODE_INVALID',
          'The source takes too long or too much memory to read. Make it smaller.',
        );
      },
    });
  }

  /** Resolves with how the execution ended. Aborting ends the thread, wherever it is, and throws the signal's reason. */
  run(
    execution: GuestExecution,
    {
      onCall,
      signal,
    }: { readonly onCall: (call: GuestCall) => void; readonly signal: AbortSignal },
  ): Promise<GuestEnd> {
    return this.#do<GuestEnd>(
      { kind: 'run', execution },
      {
        signal,
        turnMs: execution.limits.turnMs,
        onMessage: (message, done) => {
          if (message.kind === 'call') onCall(message.call);
          else if (message.kind === 'ended') {
            if (!message.end.ok && !message.end.isClean) void this.end();
            done(message.end);
          }
        },
        onFailure: (error) => {
          if (signal.aborted) throw signal.reason;
          return lostGuest(error);
        },
      },
    );
  }

  /** Answers a call of the current execution; one that has ended gets no answer. */
  answer(answer: CallAnswer): void {
    if (this.#job === null || this.#isOver) return;
    this.#post({ kind: 'answer', job: this.#job.number, answer });
  }

  /** Ends the thread, even in the middle of a loop. */
  async end(): Promise<void> {
    this.#isOver = true;
    Atomics.store(this.#control, CONTROL.stop, 1);
    await this.#worker.terminate();
  }

  async #do<Result>(
    given:
      | Omit<Extract<ToWorker, { kind: 'inspect' }>, 'job'>
      | Omit<Extract<ToWorker, { kind: 'run' }>, 'job'>,
    options: {
      readonly signal: AbortSignal;
      readonly turnMs: number;
      readonly onMessage: (message: FromWorker, done: (result: Result) => void) => void;
      /** The result where the thread was stopped or died. */
      readonly onFailure: (error: unknown) => Result;
    },
  ): Promise<Result> {
    const { signal, turnMs, onMessage, onFailure } = options;
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#lastJob += 1;
    this.#job = {
      number: this.#lastJob,
      onMessage: (message) => onMessage(message, resolve),
      onLost: reject,
    };
    const stop = (error: unknown): void => {
      reject(error);
      void this.end();
    };
    const onAbort = (): void => stop(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    using _watch = this.#watch(turnMs + GRACE_MS, stop);
    // A running job keeps the process alive.
    this.#worker.ref();
    try {
      this.#post({ ...given, job: this.#lastJob } as ToWorker);
      return await promise;
    } catch (error) {
      return onFailure(error);
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#job = null;
      this.#worker.unref();
    }
  }

  /** Stops long turns from outside: some work of the engine cannot be interrupted from within. */
  #watch(limitMs: number, stop: (error: unknown) => void): Disposable {
    let turn = 0;
    const time = new RunningTime();
    const timer = setInterval(() => {
      const now = Atomics.load(this.#control, CONTROL.turn);
      if (now !== turn || now % 2 === 0) {
        turn = now;
        time.restart();
      } else if (time.passedMs > limitMs) stop(new TurnTooLong());
    }, WATCH_MS);
    return {
      [Symbol.dispose]: () => {
        clearInterval(timer);
        time[Symbol.dispose]();
      },
    };
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #lost(error: unknown): void {
    this.#isOver = true;
    this.#job?.onLost(error ?? new Error('The thread ended.'));
  }
}

class TurnTooLong extends Error {
  override readonly name = 'TurnTooLong';
}

function lostGuest(error: unknown): GuestEnd {
  const nothing = { ok: false, claimedCode: null, line: null, isClean: false } as const;
  if (error instanceof TurnTooLong) {
    const message = 'The skill computed for too long without a pause, and was stopped.';
    return { ...nothing, code: 'SKILL_TIMED_OUT', message };
  }
  if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    const message = 'The skill used more memory than it may.';
    return { ...nothing, code: 'SKILL_MEMORY_LIMIT', message };
  }
  return {
    ...nothing,
    code: 'SKILL_FAILED',
    message: 'The skill crashed the thread that it ran in.',
  };
}
