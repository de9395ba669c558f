import type { Message, Run, Thread } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import type { PushMessage } from '#contract/requests.ts';
import type { PolicyLevel } from '#contract/vocabulary.ts';
import type { Clock } from '../base/clock.ts';
import type { Dispose } from '../base/disposable.ts';
import { newId } from '../base/ids.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import type { Logger } from '../base/logger.ts';
import { RunSuspended } from '../hitl/types.ts';
import { ActiveRun } from './active-run.ts';
import { type DormantRunParts, endDormantRun, queueInterruptedRuns } from './dormant-runs.ts';
import { newRun, storeTurn, turnOf } from './new-run.ts';
import { RunFeed } from './run-feed.ts';
import type { RunStores } from './run-record.ts';
import { ThreadSlots } from './thread-slots.ts';
import { type TakeFilesParts, takeFiles } from './turn-files.ts';
import type { RunEventListener, RunProgram, StartRun } from './types.ts';
import { UnsavedRuns } from './unsaved-runs.ts';

export interface RunServiceParts extends TakeFilesParts {
  readonly stores: RunStores;
  readonly program: RunProgram;
  /** Ends what runs for a thread and removes its files. */
  readonly removeWorkspace: (threadId: string) => Promise<void>;
  /**
   * Ends what a run started in the background. Called as soon as it is stopped, and again when it has ended
   * without an answer. Absent where runs have no background programs.
   */
  readonly endPrograms?: (threadId: string, runId: string) => Promise<unknown>;
  /** Frees the space that is reserved for a full disk. */
  readonly releaseReserve: () => void;
  /** Whether a run has a question that the user has not answered yet. */
  readonly hasOpenQuestions: (runId: string) => boolean;
  /** Shared with everything else that needs a task for itself. */
  readonly slots?: ThreadSlots;
  /** Removed from everything that is stored and shown. */
  readonly secrets?: KnownSecrets;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long a stopped program may take to clean up; 10 s if not given. */
  readonly stopGraceMs?: number;
}

/** Changes of runs, threads and what runs make, as windows receive them. */
export type RunNotice = Extract<
  PushMessage,
  { kind: 'run_changed' | 'thread_changed' | 'thread_deleted' | 'artifacts_changed' }
>;

const STOP_GRACE_MS = 10_000;

/** Starts, stops and shows runs. Each run ends in exactly one `complete` or `error`. */
export class RunService {
  readonly #parts: RunServiceParts;
  readonly #feed: RunFeed;
  readonly #active = new Map<string, { readonly run: ActiveRun; readonly settled: Promise<Run> }>();
  readonly #slots: ThreadSlots;
  readonly #unsaved = new UnsavedRuns();
  readonly #listeners = new Set<(notice: RunNotice) => void>();
  #isDisposed = false;

  constructor(parts: RunServiceParts) {
    this.#parts = parts;
    this.#feed = new RunFeed(parts.logger);
    this.#slots = parts.slots ?? new ThreadSlots();
  }

  /**
   * Stores the turn and starts a run for it. Throws `NOT_FOUND` for an unknown thread, `CONFLICT` while
   * the thread has an active run, and what importing and storing throw: then there is no run.
   */
  async start(given: StartRun): Promise<{ run: Run; thread: Thread }> {
    this.#beginWork();
    const { stores, secrets } = this.#parts;
    const input = { ...given, prompt: secrets?.text(given.prompt) ?? given.prompt };
    const isNew = input.threadId === undefined;
    const threadId = input.threadId ?? newId('thr', this.#parts.clock.now());
    if (!isNew) stores.threads.get(threadId);
    this.#occupy(threadId);
    try {
      const files = await takeFiles(threadId, input, this.#parts);
      this.#throwIfDisposed();
      const { run, message } = storeTurn({ ...input, threadId, isNew, files }, this.#parts);
      this.#launch(run, message, { resumed: false });
      const thread = stores.threads.get(threadId);
      this.#notify({ kind: 'thread_changed', thread });
      this.#notify({ kind: 'run_changed', run });
      return { run, thread };
    } catch (error) {
      this.#slots.free(threadId);
      if (isNew) await this.#removeFiles(threadId);
      throw error;
    }
  }

  /**
   * Continues a run that was parked, interrupted or stopped by a full disk. Throws `NOT_FOUND`, `CONFLICT`
   * if it has ended or if it or another run of its thread is active, and `DISK_FULL`.
   */
  resume(runId: string): Run {
    this.#beginWork();
    const { stores } = this.#parts;
    const run = stores.runs.get(runId);
    if (run.endedAt !== null) {
      throw new AppError(
        'CONFLICT',
        'This run has ended. Send a new message to continue from there.',
      );
    }
    this.#unsaved.check(runId);
    const message = turnOf(run, stores);
    this.#occupy(run.threadId, () => this.#launch(run, message, { resumed: true }));
    return this.get(runId);
  }

  /**
   * Pauses the run at its next step. Harmless if it is already paused. Throws `NOT_FOUND`, and `CONFLICT` if
   * it has ended.
   */
  pause(runId: string): void {
    const active = this.#active.get(runId);
    if (active !== undefined) {
      active.run.pause();
      return;
    }
    const run = this.#parts.stores.runs.get(runId);
    if (run.endedAt !== null) throw new AppError('CONFLICT', 'This run has ended.');
    if (run.status === 'queued') this.#pauseQueued(run);
  }

  /**
   * Repeats the last step of a run that failed or was stopped, in a new run that continues the same
   * conversation. Throws `NOT_FOUND`, and `CONFLICT` if it is not the last run of its task.
   */
  retry(runId: string): Run {
    this.#beginWork();
    const { stores, clock } = this.#parts;
    const failed = stores.runs.get(runId);
    const isLast = stores.runs.listOfThread(failed.threadId).at(-1)?.id === runId;
    if (!isLast || (failed.status !== 'failed' && failed.status !== 'cancelled')) {
      throw new AppError(
        'CONFLICT',
        'Only the last run of a task can be retried, and only if it failed or was stopped.',
      );
    }
    const message = turnOf(failed, stores);
    const run = newRun(clock, {
      ...{ threadId: failed.threadId, prompt: failed.prompt, options: failed.options },
      origin: { kind: 'retry', runId, seq: null, messages: 0 },
    });
    this.#occupy(run.threadId, () => {
      stores.runs.insert(run);
      this.#launch(run, message, { resumed: false });
    });
    this.#announce(run);
    return run;
  }

  /** Whether a program works on the run in this process. */
  isActive(runId: string): boolean {
    return this.#active.has(runId);
  }

  /**
   * Asks the run to stop; it ends with `CANCELLED` once its program has cleaned up. Harmless if it has
   * already ended. Throws `NOT_FOUND`.
   */
  cancel(runId: string): void {
    this.#unsaved.save();
    const active = this.#active.get(runId);
    if (active !== undefined) {
      active.run.stop(cancelled());
      void this.#endPrograms(active.run.run);
      return;
    }
    const run = this.#parts.stores.runs.get(runId);
    if (run.endedAt !== null) return;
    void this.#endPrograms(run);
    const ended = endDormantRun(
      run,
      { status: 'cancelled', error: cancelled() },
      this.#recordParts(),
    );
    if (!ended.isStored) this.#unsaved.add(ended);
  }

  /** Throws `NOT_FOUND`. */
  get(runId: string): Run {
    return this.#parts.stores.runs.get(runId);
  }

  /** All runs, newest first. */
  list(): Run[] {
    return this.#parts.stores.runs.list();
  }

  /** At most `limit` events after `afterSeq`, oldest first. Throws `NOT_FOUND`. */
  events(runId: string, afterSeq: number, limit: number): RunEvent[] {
    this.get(runId);
    return this.#parts.stores.events.page(runId, afterSeq, limit);
  }

  /** Delivers each event from now on, once it is on disk. Throws `NOT_FOUND`. */
  listen(runId: string, listener: RunEventListener): Dispose {
    this.get(runId);
    return this.#feed.listen(runId, listener);
  }

  /** Resolves when the run has ended or is parked and all its events are published. Throws `NOT_FOUND`. */
  async settled(runId: string): Promise<Run> {
    return this.#active.get(runId)?.settled ?? this.get(runId);
  }

  /** Reports changed runs and threads until the returned function is called. */
  onNotice(listener: (notice: RunNotice) => void): Dispose {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Throws `NOT_FOUND`. */
  renameThread(threadId: string, title: string): Thread {
    return this.#changed(this.#parts.stores.threads.rename(threadId, title));
  }

  /** Pins or archives a thread, or takes that back. Throws `NOT_FOUND`. */
  markThread(threadId: string, mark: 'pinned' | 'archived', on: boolean): Thread {
    const { stores, clock } = this.#parts;
    return this.#changed(stores.threads.mark(threadId, mark, on ? clock.now() : null));
  }

  /** Chooses the approval level of a task; null leaves it to the settings. Throws `NOT_FOUND`. */
  setThreadLevel(threadId: string, level: PolicyLevel | null): Thread {
    return this.#changed(this.#parts.stores.threads.setLevel(threadId, level));
  }

  /** Deletes a thread with its runs and its workspace. Throws `NOT_FOUND`, `CONFLICT` while a run of it is active. */
  async deleteThread(threadId: string): Promise<void> {
    this.#parts.stores.threads.get(threadId);
    this.#occupy(threadId);
    try {
      this.#parts.stores.threads.delete(threadId);
      this.#unsaved.forgetThread(threadId);
      this.#notify({ kind: 'thread_deleted', threadId });
      await this.#parts.removeWorkspace(threadId);
    } finally {
      this.#slots.free(threadId);
    }
  }

  /**
   * The runs that an earlier process left without an end, for `resume`. Call it once, before the first
   * start.
   */
  recoverInterrupted(): Run[] {
    return queueInterruptedRuns(this.#recordParts(), this.#parts.hasOpenQuestions);
  }

  /**
   * Stops all runs and waits until they have cleaned up. They get no end, and continue at the next start.
   * Afterwards nothing can be started.
   */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    for (const { run } of this.#active.values()) run.stop(new RunSuspended());
    await Promise.all([...this.#active.values()].map(({ settled }) => settled));
    this.#unsaved.save();
    this.#unsaved.stop();
    this.#listeners.clear();
  }

  #changed(thread: Thread): Thread {
    this.#notify({ kind: 'thread_changed', thread });
    return thread;
  }

  #pauseQueued(run: Run): void {
    this.#parts.stores.runs.setStatus(run.id, 'paused');
    this.#announce({ ...run, status: 'paused' });
  }

  #launch(run: Run, message: Message, { resumed }: { readonly resumed: boolean }): void {
    const active = new ActiveRun(run, message, {
      ...this.#recordParts(),
      resumed,
      program: this.#parts.program,
      stopGraceMs: this.#parts.stopGraceMs ?? STOP_GRACE_MS,
    });
    if (resumed) active.restore();
    // Also when it resumes: the log drops what it has, and a kill before the first commit loses nothing.
    for (const { path, size, folder } of message.attachments) {
      if (folder !== undefined) continue;
      active.emit({
        type: 'workspace_update',
        operation: 'create',
        path,
        size,
        origin: 'attachment',
      });
    }
    const settled = active.execute().then(async (ended) => {
      if (!active.isStored) this.#unsaved.add(active);
      // It failed, was cancelled or found the disk full. Before the next run of the task can start.
      if (ended.error !== null) await this.#endPrograms(run);
      this.#active.delete(run.id);
      this.#slots.free(run.threadId);
      return ended;
    });
    this.#active.set(run.id, { run: active, settled });
  }

  #recordParts(): DormantRunParts {
    return {
      ...this.#parts,
      publish: (runId, events) => {
        this.#feed.publish(runId, events);
        const hasFiles = events.some(({ type }) => type === 'workspace_update');
        if (hasFiles) this.#notify({ kind: 'artifacts_changed' });
      },
      onChange: (run) => this.#announce(run),
    };
  }

  #announce(run: Run): void {
    this.#notify({ kind: 'run_changed', run });
    try {
      const thread = this.#parts.stores.threads.get(run.threadId);
      this.#notify({ kind: 'thread_changed', thread });
    } catch (error) {
      this.#parts.logger.error('A changed thread cannot be read', { runId: run.id, error });
    }
  }

  #notify(notice: RunNotice): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(notice);
      } catch (error) {
        this.#parts.logger.error('A listener of runs threw', { kind: notice.kind, error });
      }
    }
  }

  /** A thread has one active run at a time; if `begin` throws, the thread is free again. */
  #occupy(threadId: string, begin: () => void = () => undefined): void {
    this.#slots.take(threadId);
    try {
      begin();
    } catch (error) {
      this.#slots.free(threadId);
      throw error;
    }
  }

  /** Never rejects. */
  async #endPrograms({ id, threadId }: Run): Promise<void> {
    try {
      await this.#parts.endPrograms?.(threadId, id);
    } catch (error) {
      this.#parts.logger.error('Programs of a run could not be ended', { runId: id, error });
    }
  }

  /** Removes the files of a thread that was not created in the end. */
  async #removeFiles(threadId: string): Promise<void> {
    try {
      await this.#parts.removeWorkspace(threadId);
    } catch (error) {
      this.#parts.logger.warn('Files of a task that did not start are left', { threadId, error });
    }
  }

  #beginWork(): void {
    this.#throwIfDisposed();
    this.#unsaved.save();
    this.#parts.secrets?.recall();
  }

  #throwIfDisposed(): void {
    if (this.#isDisposed) throw new AppError('CONFLICT', 'The app is closing.');
  }
}

function cancelled(): AppError {
  return new AppError('CANCELLED', 'The run was stopped.');
}
