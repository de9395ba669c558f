import type { Message, Run } from '#contract/entities.ts';
import { AppError, type ErrorEnvelope, toErrorEnvelope } from '#contract/errors.ts';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { KnownSecrets } from '../base/known-secrets.ts';
import type { Logger } from '../base/logger.ts';
import type {
  EventWriter,
  MessageWriter,
  RunEnd,
  RunWriter,
  ThreadWriter,
} from '../storage/types.ts';
import { CleanDrafts } from './clean-drafts.ts';
import { PartialAnswer } from './partial-answer.ts';
import { ResumedStreams } from './resumed-streams.ts';
import { RunLog, type Write } from './run-log.ts';
import type { RunConclusion } from './types.ts';

/** The stores of runs. `transaction` makes what they write inside it atomic. */
export interface RunStores {
  readonly transaction: <T>(work: () => T) => T;
  readonly threads: ThreadWriter;
  readonly runs: RunWriter;
  readonly events: EventWriter;
  readonly messages: MessageWriter;
}

export interface RunRecordParts {
  readonly stores: RunStores;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Removed from everything that is stored and shown. */
  readonly secrets?: KnownSecrets;
  readonly publish: (runId: string, events: readonly RunEvent[]) => void;
  /** Called after each change of the run's status. */
  readonly onChange: (run: Run) => void;
  /** Called when the log can no longer be written. */
  readonly onFailure: (error: unknown) => void;
  /** Frees reserved space on a full disk, for the end of the run. */
  readonly releaseReserve: () => void;
}

/** How a run ends. */
export type Ending =
  | { readonly kind: 'answer'; readonly conclusion: RunConclusion; readonly durationMs: number }
  | {
      readonly kind: 'failure';
      readonly status: 'failed' | 'cancelled';
      readonly error: ErrorEnvelope;
    };

/** How many events are read at once. */
const PAGE = 500;

const KEPT = 'Everything up to here is kept: the conversation and the files of the task.';

/**
 * A run as it is stored. Its log, its status and its final message change together, in one transaction for
 * each batch.
 */
export class RunRecord {
  readonly #parts: RunRecordParts;
  readonly #log: RunLog;
  readonly #partial = new PartialAnswer();
  readonly #streams = new ResumedStreams();
  readonly #secrets: KnownSecrets;
  readonly #clean: CleanDrafts;
  #run: Run;
  /** The run after the last stored batch; becomes `run` when that batch is published. */
  #stored: Run;
  #openInterrupts: ReadonlySet<string> = new Set();
  /** What the end event that is being stored means for the run. */
  #end: RunEnd | null = null;
  /** The problem that must be fixed before the run can continue. */
  #waitReason: Run['error'] = null;
  /** Stores the end or the state that was published but not stored. */
  #unsaved: (() => void) | null = null;

  constructor(run: Run, parts: RunRecordParts) {
    this.#run = run;
    this.#stored = run;
    this.#parts = parts;
    this.#secrets = parts.secrets ?? new KnownSecrets();
    this.#clean = new CleanDrafts(this.#secrets);
    this.#log = new RunLog({
      runId: run.id,
      lastSeq: run.lastSeq,
      clock: parts.clock,
      store: (events, writes) => this.#store(events, writes),
      publish: (events) => this.#publish(events),
      onFailure: parts.onFailure,
    });
  }

  get run(): Run {
    return this.#run;
  }

  /** False while the run has an end or a state that is not stored yet. */
  get isStored(): boolean {
    return this.#unsaved === null;
  }

  /** Never throws. A program cannot end its run with an event. */
  emit(draft: RunEventDraft): void {
    if (draft.type === 'complete' || draft.type === 'error') {
      this.#parts.logger.error('A program tried to end its run with an event', {
        type: draft.type,
      });
      return;
    }
    for (const clean of this.#clean.take(draft)) {
      const fresh = this.#streams.filter(clean);
      if (fresh === null) continue;
      this.#partial.take(fresh);
      this.#log.emit(fresh);
    }
  }

  /** Restores the state from the stored log: which events were emitted, and the partial answer. */
  replay(): void {
    const { events } = this.#parts.stores;
    const open = new Set(this.#openInterrupts);
    for (let seq = 0; ; ) {
      const page = events.page(this.#run.id, seq, PAGE);
      this.#log.replay(page);
      for (const event of page) {
        this.#partial.take(event);
        this.#streams.replay(event);
        noteInterrupt(event, open);
      }
      seq = page.at(-1)?.seq ?? seq;
      if (page.length < PAGE) break;
    }
    this.#openInterrupts = open;
  }

  /** The run is active again. Throws what the store throws. */
  markRunning(): void {
    this.#parts.stores.runs.setStatus(this.#run.id, 'running');
    this.#change({ ...this.#run, status: 'running', error: null });
  }

  /** Does a write of the program together with the next events: one disk sync for both. Never throws. */
  persist(write: Write): void {
    this.#log.persist(write);
  }

  /** Does a write of the program now, together with all pending events. Throws what the stores throw. */
  commit(write: Write): void {
    this.#log.commit(write);
  }

  /** Parks the run without an end: it waits for an answer, or was paused. Never throws. */
  park(status: 'waiting' | 'paused'): void {
    this.#log.flush();
    if (this.#run.status === status) return;
    try {
      this.#parts.stores.runs.setStatus(this.#run.id, status);
      this.#change({ ...this.#run, status });
    } catch (error) {
      this.#parts.onFailure(error);
    }
  }

  /** For closing the app: stores what is pending and leaves the run without an end. Never throws. */
  suspend(): void {
    this.#log.flush();
  }

  /**
   * A full disk stopped the run: it gets no end, says why it waits, and continues on `resume`. Never throws:
   * steps that cannot be stored even with the reserved space will be repeated, and the state is published
   * anyway, for `storeUnsaved` to store later.
   */
  waitForSpace({ code, message }: ErrorEnvelope): void {
    const { stores, logger, releaseReserve } = this.#parts;
    const { id: runId } = this.#run;
    const why = { code, message };
    this.#waitReason = why;
    const store = (): void => stores.runs.setStatus(runId, 'queued', why);
    releaseReserve();
    try {
      // In one transaction with the state: the next transaction may find the disk full again.
      this.#log.closeWithoutEnd();
    } catch (error) {
      logger.warn('The last steps of a run could not be stored and will be repeated', {
        runId,
        error,
      });
      this.#unsaved = store;
      this.storeUnsaved();
    }
    this.#change({ ...this.#run, status: 'queued', error: why });
  }

  /**
   * Gives the run its one end. Never throws: what cannot be stored is tried again with the reserved space,
   * then without the pending events. If even that fails, the end is published anyway, and `storeUnsaved` may
   * store it later; an answer waits for space instead.
   */
  end(given: Ending): void {
    const ending = this.#secrets.value(given);
    const draft = toEndEvent(ending);
    this.#end = toRunEnd(ending, this.#parts.clock.now());
    let problem = this.#close(draft, false);
    if (isFull(problem)) {
      this.#parts.releaseReserve();
      problem = this.#close(draft, false);
    }
    const isAnswer = ending.kind === 'answer';
    if (problem !== null && isAnswer && isFull(problem)) {
      this.#end = null;
      this.waitForSpace(toErrorEnvelope(problem));
      return;
    }
    if (problem !== null) problem = this.#close(draft, true);
    if (problem === null) return;
    this.#parts.logger.error('The end of a run could not be stored', {
      runId: this.#run.id,
      error: problem,
    });
    // An answer that is not stored is not published: the run ends as failed.
    const published = isAnswer ? lostAnswer(problem) : ending;
    this.#end = toRunEnd(published, this.#parts.clock.now());
    this.#stored = { ...this.#run, ...this.#end, lastSeq: this.#run.lastSeq + 1 };
    const events = this.#log.closeUnstored(toEndEvent(published));
    this.#unsaved = () => this.#store(events, []);
  }

  /** Tries to store what the disk did not take; returns whether nothing is left to store. Never throws. */
  storeUnsaved(): boolean {
    if (this.#unsaved === null) return true;
    try {
      this.#unsaved();
      this.#unsaved = null;
      return true;
    } catch (error) {
      this.#parts.logger.warn('The end or state of a run is still not stored', {
        runId: this.#run.id,
        error,
      });
      return false;
    }
  }

  #close(draft: RunEventDraft, onlyEnd: boolean): unknown {
    try {
      this.#log.close(draft, { onlyEnd });
      return null;
    } catch (error) {
      // The caller tries other options, and reports when none is left.
      return error;
    }
  }

  /** Stores a batch and what follows from it. Throws what the stores throw; then nothing has changed. */
  #store(events: readonly RunEvent[], writes: readonly Write[]): void {
    const { stores } = this.#parts;
    const open = new Set(this.#openInterrupts);
    for (const event of events) noteInterrupt(event, open);
    const why = this.#waitReason;
    const status = why !== null ? 'queued' : open.size > 0 ? 'waiting' : 'running';
    const end = this.#end;
    stores.transaction(() => {
      for (const write of writes) write();
      stores.events.append(events);
      if (end !== null) this.#storeEnd(end, events.at(-1));
      else if (status !== this.#run.status) stores.runs.setStatus(this.#run.id, status, why);
    });
    this.#openInterrupts = open;
    const lastSeq = events.at(-1)?.seq ?? this.#run.lastSeq;
    this.#stored = { ...this.#run, status, error: why, ...end, lastSeq };
  }

  #storeEnd(end: RunEnd, last: RunEvent | undefined): void {
    const { threads, runs, messages } = this.#parts.stores;
    const content = last?.type === 'complete' ? last.answer : this.#partial.text;
    if (content !== '') messages.insert(toAnswer(this.#run, content, end.endedAt));
    runs.end(this.#run.id, end);
    threads.touch(this.#run.threadId, end.endedAt);
  }

  /** Events first: a listener that learns of the end already has the event that says how. */
  #publish(events: readonly RunEvent[]): void {
    this.#parts.publish(this.#run.id, events);
    this.#change(this.#stored);
  }

  #change(next: Run): void {
    const hasChanged = next.status !== this.#run.status;
    this.#run = next;
    if (hasChanged) this.#parts.onChange(next);
  }
}

function noteInterrupt(event: RunEvent, open: Set<string>): void {
  if (event.type === 'interrupt') open.add(event.interruptId);
  else if (event.type === 'interrupt_response') open.delete(event.interruptId);
}

function isFull(problem: unknown): boolean {
  return problem instanceof AppError && problem.code === 'DISK_FULL';
}

function lostAnswer(problem: unknown): Ending {
  return { kind: 'failure', status: 'failed', error: toErrorEnvelope(problem) };
}

function toEndEvent(ending: Ending): RunEventDraft {
  if (ending.kind === 'failure') return { type: 'error', ...ending.error, kept: KEPT };
  const { outcome, answer, rounds, toolCalls } = ending.conclusion;
  const durationMs = Math.round(ending.durationMs);
  return { type: 'complete', outcome, answer, durationMs, rounds, toolCalls };
}

function toRunEnd(ending: Ending, endedAt: number): RunEnd {
  if (ending.kind === 'answer') {
    return { status: ending.conclusion.outcome, endedAt, error: null };
  }
  const { code, message } = ending.error;
  return { status: ending.status, endedAt, error: { code, message } };
}

function toAnswer(run: Run, content: string, createdAt: number): Message {
  return {
    id: newId('msg', createdAt),
    threadId: run.threadId,
    runId: run.id,
    role: 'assistant',
    content,
    attachments: [],
    createdAt,
  };
}
