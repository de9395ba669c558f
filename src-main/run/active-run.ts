import type { Message, Run } from '#contract/entities.ts';
import { AppError, toErrorEnvelope } from '#contract/errors.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { RunParked } from '../hitl/types.ts';
import { type Ending, RunRecord, type RunRecordParts } from './run-record.ts';
import type { RunConclusion, RunProgram } from './types.ts';

export interface ActiveRunParts extends Omit<RunRecordParts, 'onFailure'> {
  readonly program: RunProgram;
  /** How long a stopped program may take to put away what it holds, in ms. */
  readonly stopGraceMs: number;
}

/** Timers cannot be longer; a time limit past it, 24 days, is none. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The life of one run in this process, from its program's first step to its end or its parking. */
export class ActiveRun {
  readonly #parts: ActiveRunParts;
  readonly #message: Message;
  readonly #record: RunRecord;
  readonly #controller = new AbortController();

  constructor(run: Run, message: Message, parts: ActiveRunParts) {
    this.#parts = parts;
    this.#message = message;
    this.#record = new RunRecord(run, {
      ...parts,
      onFailure: (error) => {
        parts.logger.error('The log of a run cannot be written', { runId: run.id, error });
        this.#controller.abort(error);
      },
    });
  }

  get run(): Run {
    return this.#record.run;
  }

  /** Never throws; after the end it does nothing. */
  emit(draft: RunEventDraft): void {
    this.#record.emit(draft);
  }

  /** Stops the run; `reason` is how it ends. Harmless when it is stopping already. */
  stop(reason: AppError): void {
    this.#controller.abort(reason);
  }

  /**
   * Lets the program work. Resolves with the run once it ended or was parked, and all that it said
   * was published. Never rejects. Called once.
   */
  async live(): Promise<Run> {
    const { timeoutSeconds } = this.#record.run.options;
    const limitMs = timeoutSeconds === null ? Number.POSITIVE_INFINITY : timeoutSeconds * 1000;
    const limit =
      limitMs > LONGEST_TIMER_MS
        ? undefined
        : setTimeout(() => this.stop(timedOut(limitMs / 1000)), limitMs);
    const ending = await this.#ending();
    clearTimeout(limit);
    if (ending === 'parked') this.#record.park();
    else this.#record.end(ending);
    const { run } = this.#record;
    this.#parts.logger.info('A run came to rest', {
      runId: run.id,
      status: run.status,
      code: run.error?.code,
    });
    return run;
  }

  /** False while the run has an end that the disk did not take. */
  get isStored(): boolean {
    return this.#record.isStored;
  }

  /** Tries again to store an end that the disk did not take; whether it is stored. Never throws. */
  storeEnd(): boolean {
    return this.#record.storeEnd();
  }

  async #ending(): Promise<Ending | 'parked'> {
    const { clock, logger } = this.#parts;
    const { signal } = this.#controller;
    const began = clock.monotonic();
    try {
      const conclusion = await this.#runProgram();
      // Who stopped it was told that it stops, even if it was done that very moment.
      if (!signal.aborted) {
        return { kind: 'answer', conclusion, durationMs: clock.monotonic() - began };
      }
    } catch (error) {
      if (!signal.aborted) {
        if (error instanceof RunParked) return 'parked';
        if (!(error instanceof AppError)) {
          logger.error('A run failed by a bug', { runId: this.#record.run.id, error });
        }
        return { kind: 'failure', status: 'failed', error: toErrorEnvelope(error) };
      }
    }
    const error = toErrorEnvelope(signal.reason);
    const status = error.code === 'CANCELLED' ? 'cancelled' : 'failed';
    return { kind: 'failure', status, error };
  }

  /** The program's outcome; a program that does not heed its signal is left behind. */
  async #runProgram(): Promise<RunConclusion> {
    const { program, logger, stopGraceMs } = this.#parts;
    const { run } = this.#record;
    const { signal } = this.#controller;
    // Whoever started the run has it in hand, and may cancel it, before the program does anything.
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    const left = Promise.withResolvers<never>();
    let grace: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      grace = setTimeout(() => {
        logger.error('A stopped run did not come to its end', { runId: run.id });
        left.reject(signal.reason);
      }, stopGraceMs);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const emit = (draft: RunEventDraft): void => this.emit(draft);
      const persist = (write: () => void): void => this.#record.persist(write);
      const work = program({ run, message: this.#message, signal, emit, persist });
      return await Promise.race([work, left.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      clearTimeout(grace);
    }
  }
}

function timedOut(seconds: number): AppError {
  return new AppError(
    'RUN_TIMED_OUT',
    `The run was stopped after its time limit of ${seconds} s. Start it again with more time (--timeout), or with a smaller task.`,
    { details: { timeoutSeconds: seconds } },
  );
}
