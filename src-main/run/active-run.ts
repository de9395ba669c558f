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
  /** The run goes on after it was parked, or after its process ended. */
  readonly resumed: boolean;
  /** How long a stopped program may take to put away what it holds, in ms. */
  readonly stopGraceMs: number;
}

/** The life of one run in this process, from its program's first step to its end or its parking. */
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

  /** Takes up what an earlier process left. Throws what the stores throw; to be called before `live`. */
  takeUp(): void {
    this.#record.recall();
    this.#record.goOn();
  }

  /** Stops the run at its next step; it goes on by `resume`. */
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

  /** Stops the run; `reason` is how it ends. Harmless when it is stopping already. */
  stop(reason: AppError | RunSuspended): void {
    this.#controller.abort(reason);
  }

  /**
   * Lets the program work. Resolves with the run once it ended or was parked, and all that it said
   * was published. Never rejects. Called once.
   */
  async live(): Promise<Run> {
    const { timeoutSeconds } = this.#record.run.options;
    using time = new RunningTime(
      timeoutSeconds === null
        ? null
        : { ms: timeoutSeconds * 1000, onReached: () => this.stop(timedOut(timeoutSeconds)) },
    );
    const ending = await this.#ending(time);
    if (ending === 'parked') this.#record.rest('waiting');
    else if (ending === 'paused') this.#record.rest('paused');
    else if (ending === 'suspended') this.#record.suspend();
    else if (isForRoom(ending)) this.#record.waitForRoom(ending.error);
    else this.#record.end(ending);
    const { run } = this.#record;
    this.#parts.logger.info('A run came to rest', {
      runId: run.id,
      status: run.status,
      code: run.error?.code,
    });
    return run;
  }

  /** False while the run has an end or a state that the disk did not take. */
  get isStored(): boolean {
    return this.#record.isStored;
  }

  /** Tries again to store what the disk did not take; whether it is stored. Never throws. */
  storeRest(): boolean {
    return this.#record.storeRest();
  }

  async #ending(time: RunningTime): Promise<Ending | 'parked' | 'paused' | 'suspended'> {
    const { logger } = this.#parts;
    const { signal } = this.#controller;
    try {
      const conclusion = await this.#runProgram();
      // Who stopped it was told that it stops, even if it was done that very moment.
      if (!signal.aborted) {
        return { kind: 'answer', conclusion, durationMs: time.passedMs };
      }
    } catch (thrown) {
      const error = firstOf(thrown);
      if (!signal.aborted) {
        if (error instanceof RunParked) return 'parked';
        if (error instanceof RunPaused) return 'paused';
        if (!(error instanceof AppError) && diskFullBehind(error) === null) {
          logger.error('A run failed by a bug', { runId: this.#record.run.id, error });
        }
        const told = toErrorEnvelope(diskFullBehind(error) ?? error);
        return { kind: 'failure', status: 'failed', error: told };
      }
    }
    if (signal.reason instanceof RunSuspended) return 'suspended';
    const error = toErrorEnvelope(signal.reason);
    const status = error.code === 'CANCELLED' ? 'cancelled' : 'failed';
    return { kind: 'failure', status, error };
  }

  /** The program's outcome; a program that does not heed its signal is left behind. */
  async #runProgram(): Promise<RunConclusion> {
    const { program, logger, resumed, stopGraceMs } = this.#parts;
    const { run } = this.#record;
    const { signal } = this.#controller;
    // Whoever started the run has it in hand, and may cancel it, before the program does anything.
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    const left = Promise.withResolvers<never>();
    let grace: RunningTime | undefined;
    const onAbort = (): void => {
      const onReached = (): void => {
        logger.error('A stopped run did not come to its end', { runId: run.id });
        left.reject(signal.reason);
      };
      grace = new RunningTime({ ms: stopGraceMs, onReached });
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const emit = (draft: RunEventDraft): void => this.emit(draft);
      const persist = (write: () => void): void => this.#record.persist(write);
      const commit = (write: () => void): void => this.#record.commit(write);
      const work = program({
        ...{ run, message: this.#message, resumed, signal, pause: this.#pause.signal },
        ...{ emit, persist, commit },
      });
      return await Promise.race([work, left.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      grace?.[Symbol.dispose]();
    }
  }
}

/** A run that a full disk stopped is not over: it goes on when there is room. */
function isForRoom(ending: Ending): ending is Extract<Ending, { kind: 'failure' }> {
  return ending.kind === 'failure' && ending.error.code === 'DISK_FULL';
}

/** What went wrong first, where putting things away failed as well. */
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
