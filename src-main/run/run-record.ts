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
import { FRAME_MS, RunLog } from './run-log.ts';
import type { RunConclusion } from './types.ts';

/** Where runs are kept. `transaction` joins what the stores write in it. */
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
  /** Taken out of all that is stored and shown. */
  readonly secrets?: KnownSecrets;
  readonly publish: (runId: string, events: readonly RunEvent[]) => void;
  /** Called after each change of the run's status. */
  readonly onChange: (run: Run) => void;
  /** Called when the log cannot be written any more. */
  readonly onFailure: (error: unknown) => void;
  /** Makes room on a full disk for the last words. */
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

/** Events read at once. */
const PAGE = 500;

const KEPT = 'Everything up to here is kept: the conversation and the files of the task.';

/**
 * A run as it is stored: its log, its status and the message it ends with move together, in one
 * transaction each.
 */
export class RunRecord {
  readonly #parts: RunRecordParts;
  readonly #log: RunLog;
  readonly #partial = new PartialAnswer();
  readonly #streams = new ResumedStreams();
  readonly #secrets: KnownSecrets;
  readonly #clean: CleanDrafts;
  #run: Run;
  /** The run with what the last batch made of it, until that batch is published. */
  #stored: Run;
  #openInterrupts: ReadonlySet<string> = new Set();
  /** What the end event that is being stored means for the run. */
  #end: RunEnd | null = null;
  /** What the run waits for that has to be put right first. */
  #waitsFor: Run['error'] = null;
  /** What is stored together with the events that wait. */
  #alongside: (() => void)[] = [];
  #alongsideTimer: NodeJS.Timeout | null = null;
  /** Stores the end or the state that was told and that the disk did not take. */
  #unstored: (() => void) | null = null;

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
      store: (events) => this.#store(events),
      publish: (events) => this.#publish(events),
      onFailure: parts.onFailure,
    });
  }

  get run(): Run {
    return this.#run;
  }

  /** False while the run has an end or a state that the disk did not take. */
  get isStored(): boolean {
    return this.#unstored === null;
  }

  /** Never throws. The end of a run is not for its program to say. */
  emit(draft: RunEventDraft): void {
    if (draft.type === 'complete' || draft.type === 'error') {
      this.#parts.logger.error('A program tried to end its run by an event', { type: draft.type });
      return;
    }
    for (const clean of this.#clean.take(draft)) {
      const news = this.#streams.filter(clean);
      if (news === null) continue;
      this.#partial.take(news);
      this.#log.emit(news);
    }
  }

  /** Takes in all that an earlier process logged: what was told, and the answer as far as it came. */
  recall(): void {
    const { events } = this.#parts.stores;
    const open = new Set(this.#openInterrupts);
    for (let seq = 0; ; ) {
      const page = events.page(this.#run.id, seq, PAGE);
      this.#log.recall(page);
      for (const event of page) {
        this.#partial.take(event);
        this.#streams.recall(event);
        noteInterrupt(event, open);
      }
      seq = page.at(-1)?.seq ?? seq;
      if (page.length < PAGE) break;
    }
    this.#openInterrupts = open;
  }

  /** The run is at work again. Throws what the store throws. */
  goOn(): void {
    this.#parts.stores.runs.setStatus(this.#run.id, 'running');
    this.#change({ ...this.#run, status: 'running', error: null });
  }

  /**
   * Stores something of the program's together with the events that wait, at most a frame later: one
   * sync of the disk for both. Never throws.
   */
  persist(work: () => void): void {
    this.#alongside.push(work);
    if (!this.#log.hasPending) this.#scheduleAlongside();
  }

  /**
   * Stores something of the program's now, together with all events that wait: what follows may rest
   * on it. Throws what the stores throw, and where the log failed or closed: then nothing may be done.
   */
  commit(work: () => void): void {
    if (!this.#log.isOpen)
      throw new AppError('CANCELLED', 'The log of this run takes nothing more.');
    this.#alongside.push(work);
    try {
      if (this.#log.hasPending) this.#log.flushOrThrow();
      else this.#storeAlongside();
    } catch (error) {
      this.#alongside = this.#alongside.filter((other) => other !== work);
      // Nothing may be done any more that rests on it.
      this.#parts.onFailure(error);
      throw error;
    }
  }

  /** The run waits for a person, by a question or because it was paused, and has no end. Never throws. */
  rest(status: 'waiting' | 'paused'): void {
    this.#flush();
    if (this.#run.status === status) return;
    try {
      this.#parts.stores.runs.setStatus(this.#run.id, status);
      this.#change({ ...this.#run, status });
    } catch (error) {
      this.#parts.onFailure(error);
    }
  }

  /** The app closes: what was said is stored, and the run stays without an end. Never throws. */
  suspend(): void {
    this.#flush();
  }

  /**
   * A full disk stopped the run: it has no end, says why it waits, and goes on by `resume`. Never throws:
   * what is not stored even with the space that was kept in reserve is done again from the last step
   * that is, and the state is told all the same, for `storeRest` to store later.
   */
  waitForRoom({ code, message }: ErrorEnvelope): void {
    const { stores, logger, releaseReserve } = this.#parts;
    const { id: runId } = this.#run;
    const why = { code, message };
    this.#waitsFor = why;
    const store = (): void => stores.runs.setStatus(runId, 'queued', why);
    releaseReserve();
    try {
      // In one transaction with the state: the next one may find no room again.
      this.#log.closeWithoutEnd();
      if (this.#run.status !== 'queued') {
        this.#alongside.push(store);
        this.#storeAlongside();
      }
    } catch (error) {
      this.#alongside = [];
      logger.warn('The last steps of a run found no room; they are done again', { runId, error });
      this.#unstored = store;
      this.storeRest();
    }
    this.#change({ ...this.#run, status: 'queued', error: why });
  }

  /**
   * Gives the run its one end. Never throws: what cannot be stored is tried again with the space that
   * was kept in reserve, then without the events that nobody has seen yet. When even that fails, the
   * end is told all the same, and `storeRest` may store it later; an answer waits for room instead.
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
      this.waitForRoom(toErrorEnvelope(problem));
      return;
    }
    if (problem !== null) problem = this.#close(draft, true);
    if (problem === null) return;
    this.#parts.logger.error('The end of a run could not be stored', {
      runId: this.#run.id,
      error: problem,
    });
    // Nobody is told of an answer that is not kept: the run ends as what it is.
    const told = isAnswer ? lostAnswer(problem) : ending;
    this.#end = toRunEnd(told, this.#parts.clock.now());
    this.#stored = { ...this.#run, ...this.#end, lastSeq: this.#run.lastSeq + 1 };
    const events = this.#log.closeUnstored(toEndEvent(told));
    this.#unstored = () => this.#store(events);
  }

  /** Tries to store what the disk did not take; whether nothing is left to store. Never throws. */
  storeRest(): boolean {
    if (this.#unstored === null) return true;
    try {
      this.#unstored();
      this.#unstored = null;
      return true;
    } catch (error) {
      this.#parts.logger.warn('The end or state of a run is still not stored', {
        runId: this.#run.id,
        error,
      });
      return false;
    }
  }

  /** Where no event comes in a frame, what waits is stored without one. */
  #scheduleAlongside(): void {
    this.#alongsideTimer ??= setTimeout(() => {
      this.#alongsideTimer = null;
      if (this.#alongside.length === 0 || this.#log.hasPending) return;
      try {
        this.#storeAlongside();
      } catch (error) {
        this.#parts.onFailure(error);
      }
    }, FRAME_MS);
  }

  #flush(): void {
    this.#log.flush();
    try {
      if (this.#alongside.length > 0) this.#storeAlongside();
    } catch (error) {
      this.#parts.onFailure(error);
    }
  }

  #storeAlongside(): void {
    this.#parts.stores.transaction(() => {
      for (const work of this.#alongside) work();
    });
    this.#alongside = [];
  }

  #close(draft: RunEventDraft, onlyEnd: boolean): unknown {
    if (onlyEnd) this.#alongside = [];
    try {
      this.#log.close(draft, { onlyEnd });
      return null;
    } catch (error) {
      // The caller tries in another way, and says so when there is none left.
      return error;
    }
  }

  /** Stores a batch with what follows from it. Throws what the stores throw, and then changes nothing. */
  #store(events: readonly RunEvent[]): void {
    const { stores } = this.#parts;
    const open = new Set(this.#openInterrupts);
    for (const event of events) noteInterrupt(event, open);
    const why = this.#waitsFor;
    const status = why !== null ? 'queued' : open.size > 0 ? 'waiting' : 'running';
    const end = this.#end;
    stores.transaction(() => {
      for (const work of this.#alongside) work();
      stores.events.append(events);
      if (end !== null) this.#storeEnd(end, events.at(-1));
      else if (status !== this.#run.status) stores.runs.setStatus(this.#run.id, status, why);
    });
    this.#alongside = [];
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

  /** The events first: who hears that a run ended was told how. */
  #publish(events: readonly RunEvent[]): void {
    this.#parts.publish(this.#run.id, events);
    this.#change(this.#stored);
  }

  #change(next: Run): void {
    const isNews = next.status !== this.#run.status;
    this.#run = next;
    if (isNews) this.#parts.onChange(next);
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
