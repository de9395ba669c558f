import type { Message, Run } from '#contract/entities.ts';
import { AppError, toErrorEnvelope } from '#contract/errors.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { RunningTime } from '../base/running-time.ts';
import { RunParked, RunPaused, RunSuspended } from '../hitl/types.ts';
import { diskFullBehind } from '../storage/storage-error.ts';
import { type Ending, RunRecord, type RunRecordParts } from './run-record.ts';
import type { RunConclusion, RunProgram } from './types.ts';

export interface ActiveRunParts extends Omit<RunRecordParts, 'onFailure'> {
  readonly program: RunProgram;
  /** The run continues after it was parked, or after its process ended. */
  readonly resumed: boolean;
  /** How long a stopped program may take to clean up, in ms. */
  readonly stopGraceMs: number;
}

/** One run in this process, from its program's first step until it ends or is parked. */
export class ActiveRun {
  readonly #parts: ActiveRunParts;
  readonly #message: Message;
  readonly #record: RunRecord;
  readonly #controller = new AbortController();
  readonly #pause = new AbortController();

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

  /** Restores the state that an earlier process left. Call it before `execute`. Throws what the stores throw. */
  restore(): void {
    this.#record.replay();
    this.#record.markRunning();
  }

  /** Pauses the run at its next step; `resume` continues it. */
  pause(): void {
    this.#pause.abort(new RunPaused());
  }

  get run(): Run {
    return this.#record.run;
  }

  /** Never throws; after the end it does nothing. */
  emit(draft: RunEventDraft): void {
    this.#record.emit(draft);
  }

  /** Stops the run; `reason` is how it ends. Harmless if it is already stopping. */
  stop(reason: AppError | RunSuspended): void {
    this.#controller.abort(reason);
  }

  /**
   * Runs the program. Resolves when the run has ended or is parked and all its events are published. Never
   * rejects. Call it once.
   */
  async execute(): Promise<Run> {
    const { timeoutSeconds } = this.#record.run.options;
    using time = new RunningTime(
      timeoutSeconds === null
        ? null
        : { ms: timeoutSeconds * 1000, onReached: () => this.stop(timedOut(timeoutSeconds)) },
    );
    const ending = await this.#ending(time);
    if (ending === 'parked') this.#record.park('waiting');
    else if (ending === 'paused') this.#record.park('paused');
    else if (ending === 'suspended') this.#record.suspend();
    else if (isOutOfSpace(ending)) this.#record.waitForSpace(ending.error);
    else this.#record.end(ending);
    const { run } = this.#record;
    this.#parts.logger.info('A run ended or was parked', {
      runId: run.id,
      status: run.status,
      code: run.error?.code,
    });
    return run;
  }

  /** False while the run has an end or a state that is not stored yet. */
  get isStored(): boolean {
    return this.#record.isStored;
  }

  /** Tries again to store what the disk did not take; returns whether it is stored. Never throws. */
  storeUnsaved(): boolean {
    return this.#record.storeUnsaved();
  }

  async #ending(time: RunningTime): Promise<Ending | 'parked' | 'paused' | 'suspended'> {
    const { logger } = this.#parts;
    const { signal } = this.#controller;
    try {
      const conclusion = await this.#runProgram();
      // A run that was stopped ends as stopped, even if its program finished at that very moment.
      if (!signal.aborted) {
        return { kind: 'answer', conclusion, durationMs: time.passedMs };
      }
    } catch (thrown) {
      const error = firstOf(thrown);
      if (!signal.aborted) {
        if (error instanceof RunParked) return 'parked';
        if (error instanceof RunPaused) return 'paused';
        if (!(error instanceof AppError) && diskFullBehind(error) === null) {
          logger.error('A run failed because of a bug', { runId: this.#record.run.id, error });
        }
        const envelope = toErrorEnvelope(diskFullBehind(error) ?? error);
        return { kind: 'failure', status: 'failed', error: envelope };
      }
    }
    if (signal.reason instanceof RunSuspended) return 'suspended';
    const error = toErrorEnvelope(signal.reason);
    const status = error.code === 'CANCELLED' ? 'cancelled' : 'failed';
    return { kind: 'failure', status, error };
  }

  /** The program's outcome. A program that ignores its signal is abandoned. */
  async #runProgram(): Promise<RunConclusion> {
    const { program, logger, resumed, stopGraceMs } = this.#parts;
    const { run } = this.#record;
    const { signal } = this.#controller;
    // The caller gets the run, and may cancel it, before the program does anything.
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    const abandoned = Promise.withResolvers<never>();
    let grace: RunningTime | undefined;
    const onAbort = (): void => {
      const onReached = (): void => {
        logger.error('A stopped run did not end in time', { runId: run.id });
        abandoned.reject(signal.reason);
      };
      grace = new RunningTime({ ms: stopGraceMs, onReached });
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const work = program({
        ...{ run, message: this.#message, runId: run.id, threadId: run.threadId, resumed },
        ...{ signal, pause: this.#pause.signal },
        emit: (draft) => this.emit(draft),
        persist: (write) => this.#record.persist(write),
        commit: (write) => this.#record.commit(write),
      });
      return await Promise.race([work, abandoned.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      grace?.[Symbol.dispose]();
    }
  }
}

/** A run that a full disk stopped has not ended: it continues once there is space. */
function isOutOfSpace(ending: Ending): ending is Extract<Ending, { kind: 'failure' }> {
  return ending.kind === 'failure' && ending.error.code === 'DISK_FULL';
}

/** The first error, where cleaning up failed as well. */
function firstOf(error: unknown): unknown {
  return error instanceof SuppressedError ? firstOf(error.suppressed) : error;
}

function timedOut(seconds: number): AppError {
  return new AppError(
    'RUN_TIMED_OUT',
    `The run was stopped after its time limit of ${seconds} s. Start it again with more time (--timeout), or with a smaller task.`,
    { details: { timeoutSeconds: seconds } },
  );
}
