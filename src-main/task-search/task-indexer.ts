import type { Logger } from '../base/logger.ts';
import { indexedWords } from '../library/words.ts';
import { AFTER_ALL_RUNS, type DueRun, type TaskSearchStore } from '../storage/task-search-store.ts';
import { RunPassages, TEXT_CHARS } from './run-passages.ts';

export interface TaskIndexerParts {
  readonly store: TaskSearchStore;
  readonly logger: Logger;
  readonly turnMs?: number;
  readonly pauseMs?: number;
}

/** The run that is read now, and how far. */
interface Reading {
  readonly due: DueRun;
  seq: number;
  readonly passages: RunPassages;
}

/** A pass over all runs that are due, from the newest. */
interface Round {
  /** Runs with an id below this are still to be looked at. */
  before: string;
  reading: Reading | null;
  /** The run that is worked on while a turn lasts. */
  runId: string | null;
  /** Runs that the next round tries again. */
  readonly failed: Set<string>;
}

/** One turn holds the main thread about this long. */
const TURN_MS = 6;
const PAUSE_MS = 20;
/** Waits for a run's other writes, and for the next run to end. */
const IDLE_MS = 500;

/**
 * Brings the index up to date in short turns on the main thread: a second thread would wait for the same lock
 * of the database, and main with it. Each turn is one transaction with its place in the log, so that it goes on
 * from there after any end of the process, and does nothing twice.
 */
export class TaskIndexer {
  readonly #parts: TaskIndexerParts;
  #timer: NodeJS.Timeout | null = null;
  #round: Round | null = null;
  /** Something changed during the round. */
  #isPoked = false;
  #waiting: (() => void)[] = [];
  #isStopped = false;

  constructor(parts: TaskIndexerParts) {
    this.#parts = parts;
  }

  /** Ended runs that are not indexed yet. */
  get left(): number {
    return this.#parts.store.dueCount();
  }

  /** Something changed: indexes it soon. */
  poke(): void {
    this.#isPoked = true;
    if (this.#timer === null) this.#wait(IDLE_MS);
  }

  /**
   * Works at once, for at most so many milliseconds, beginning with the newest run. Does not throw: what cannot be
   * indexed is still in `left`.
   */
  catchUp(ms: number): void {
    if (this.#isStopped) return;
    const background = this.#round;
    this.#round = null;
    const isMore = this.#tryTurn(ms);
    // The round in the background goes on where it was.
    if (background !== null) this.#round = background;
    else if (isMore) this.#wait(this.#parts.pauseMs ?? PAUSE_MS);
    else this.#settle();
  }

  /** Resolves when everything is indexed that can be. */
  settled(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    this.#wait(0);
    return promise;
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    this.#settle();
  }

  #wait(ms: number): void {
    if (this.#isStopped) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    // Does not keep the process alive: it goes on at the next start.
    this.#timer = setTimeout(() => this.#work(), ms);
    if (this.#waiting.length === 0) this.#timer.unref();
  }

  #work(): void {
    this.#timer = null;
    if (this.#tryTurn(this.#parts.turnMs ?? TURN_MS)) this.#wait(this.#parts.pauseMs ?? PAUSE_MS);
    else this.#settle();
  }

  /** Returns whether something is left to do now. */
  #tryTurn(ms: number): boolean {
    try {
      return this.#turn(ms);
    } catch (error) {
      // The next change of a run tries again.
      this.#parts.logger.warn('The search index could not be brought up to date', { error });
      return false;
    }
  }

  /** A run that fails is left out of the round. */
  #turn(ms: number): boolean {
    const until = performance.now() + ms;
    this.#isPoked &&= this.#round !== null;
    this.#round ??= { before: AFTER_ALL_RUNS, reading: null, runId: null, failed: new Set() };
    const round = this.#round;
    const { before } = round;
    try {
      return this.#parts.store.turn(() => this.#readRuns(round, until));
    } catch (error) {
      // Nothing of the turn was stored.
      round.before = before;
      round.reading = null;
      if (round.runId === null) throw error;
      // On a full disk, all of them fail.
      if (round.failed.size === 0) {
        this.#parts.logger.warn('A run could not be indexed', { runId: round.runId, error });
      }
      round.failed.add(round.runId);
      round.runId = null;
      return true;
    }
  }

  #readRuns(round: Round, until: number): boolean {
    // The task may have been deleted since the last turn.
    if (round.reading !== null && !this.#parts.store.isDue(round.reading.due.runId)) {
      round.reading = null;
    }
    do {
      const due = round.reading?.due ?? this.#next(round);
      if (due === null) return false;
      round.runId = due.runId;
      round.reading ??= this.#begin(due);
      if (!this.#read(round.reading)) {
        round.before = due.runId;
        round.reading = null;
      }
      round.runId = null;
    } while (performance.now() < until);
    if (round.reading !== null) this.#savePlace(round.reading);
    return true;
  }

  #next({ before, failed }: Round): DueRun | null {
    const { store } = this.#parts;
    let due = store.nextDue(before);
    while (due !== null && failed.has(due.runId)) due = store.nextDue(due.runId);
    return due;
  }

  #begin(due: DueRun): Reading {
    const { store } = this.#parts;
    const passages = new RunPassages(due.runId);
    const message = due.seq === 0 ? store.userMessage(due.runId) : null;
    if (message !== null)
      for (const one of passages.userMessage(message)) store.add(one, indexedWords);
    return { due, seq: due.seq, passages };
  }

  /** Indexes the next events; false at the end of the log. */
  #read(reading: Reading): boolean {
    const { store } = this.#parts;
    const { due, passages } = reading;
    const { runId } = due;
    const { events, upTo } = store.eventsAfter({ runId, seq: reading.seq, maxChars: TEXT_CHARS });
    for (const event of events) {
      for (const passage of passages.take(event)) {
        // The end of a run repeats the text that was streamed before it.
        const isRepeated = event.type === 'complete' && store.has(runId, passage.text);
        if (!isRepeated) store.add(passage, indexedWords);
      }
    }
    if (upTo !== null) {
      reading.seq = upTo;
      return true;
    }
    if (due.isAtRest) for (const passage of passages.close()) store.add(passage, indexedWords);
    if (due.hasEnded) store.finish(runId);
    else this.#savePlace(reading);
    return false;
  }

  /** An open message is read again from its beginning. */
  #savePlace({ due, seq, passages }: Reading): void {
    this.#parts.store.setDue(due.runId, Math.min(seq, (passages.openSince ?? seq + 1) - 1));
  }

  #settle(): void {
    this.#round = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#isPoked && !this.#isStopped) {
      this.#wait(IDLE_MS);
      return;
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
