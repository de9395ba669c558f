import { AppError } from '#contract/errors.ts';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import type { Clock } from '../base/clock.ts';
import { joinDrafts, splitDraft } from './coalesce.ts';
import { DedupeFilter } from './dedupe.ts';

export interface RunLogParts {
  readonly runId: string;
  /** Seq of the last event that is stored already. */
  readonly lastSeq: number;
  readonly clock: Clock;
  /** Stores a batch and all that follows from it in one transaction, or throws. */
  readonly store: (events: readonly RunEvent[]) => void;
  /** Called once a batch is stored, in order. Must not throw. */
  readonly publish: (events: readonly RunEvent[]) => void;
  /** A batch could not be stored: from now on only the end is taken. Called once at most. */
  readonly onFailure: (error: unknown) => void;
}

/** One frame of a screen: faster than this nobody sees it. */
export const FRAME_MS = 16;
/** Bounds of what waits in memory, however fast a program talks. */
const MAX_PENDING_EVENTS = 500;
const MAX_PENDING_TEXT = 1024 * 1024;

interface Pending {
  readonly at: number;
  draft: RunEventDraft;
}

/**
 * The log of one run: drops doubles, joins what comes within a frame, numbers, stores, publishes.
 * The only place where events get their `seq`. What was published is on disk, but for the last event
 * of a run that ends because the disk takes no more.
 */
export class RunLog {
  readonly #parts: RunLogParts;
  readonly #filter = new DedupeFilter();
  #pending: Pending[] = [];
  #pendingText = 0;
  #lastSeq: number;
  #timer: NodeJS.Timeout | null = null;
  #state: 'open' | 'failed' | 'closed' = 'open';
  #isPublishing = false;

  constructor(parts: RunLogParts) {
    this.#parts = parts;
    this.#lastSeq = parts.lastSeq;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Takes in what an earlier process stored, so that it is not told twice. */
  recall(events: readonly RunEvent[]): void {
    for (const event of events) this.#filter.accept(event);
  }

  /** False once the log failed or closed: nothing may be done any more that would have to be told. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Whether something waits to be stored. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Takes an event in. Never throws; does nothing once the log failed or closed. */
  emit(draft: RunEventDraft): void {
    if (this.#state !== 'open') return;
    try {
      this.#take(draft);
    } catch (error) {
      // An event that cannot even be compared cannot be stored.
      this.#fail(error);
      return;
    }
    const isFull =
      this.#pending.length >= MAX_PENDING_EVENTS || this.#pendingText >= MAX_PENDING_TEXT;
    // A listener that talks while it listens waits its turn, or others would hear out of order.
    if (isFull && !this.#isPublishing) this.flush();
    else if (this.#pending.length > 0) this.#timer ??= setTimeout(() => this.flush(), FRAME_MS);
  }

  /**
   * Stores and publishes what waits, now. Throws what the store throws, and where nothing is taken any
   * more. Not to be called by a listener.
   */
  flushOrThrow(): void {
    if (this.#state !== 'open') throw new AppError('CANCELLED', 'The log of this run is closed.');
    try {
      this.#commit();
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** Stores and publishes what waits. Never throws. */
  flush(): void {
    if (this.#state !== 'open' || this.#isPublishing) return;
    try {
      this.#commit();
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Takes the run's last event, stores and publishes all that waits, and closes. `onlyEnd` gives up
   * what waits. Throws what the store throws; then the log is still open for another try.
   */
  close(end: RunEventDraft, { onlyEnd = false } = {}): void {
    if (this.#state === 'closed') return;
    const before = onlyEnd ? [] : this.#pending;
    this.#pending = [...before, { at: this.#parts.clock.now(), draft: end }];
    try {
      this.#commit();
      this.#state = 'closed';
    } catch (error) {
      this.#pending = before;
      throw error;
    } finally {
      this.#clearTimer();
    }
  }

  /** Stores and publishes what waits, also after a failure, and takes nothing more. Throws what the store throws. */
  closeWithoutEnd(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#commit();
  }

  /**
   * Tells the run's last event although the disk does not take it, and closes: that a run is over
   * must be seen. The only event that is told before it is stored; it is given back, to be stored later.
   */
  closeUnstored(end: RunEventDraft): RunEvent[] {
    this.#pending = [{ at: this.#parts.clock.now(), draft: end }];
    const events = this.#number();
    this.#state = 'closed';
    this.#clearTimer();
    this.#publish(events);
    return events;
  }

  #take(draft: RunEventDraft): void {
    if (!this.#filter.accept(draft)) return;
    for (const piece of splitDraft(draft)) {
      const last = this.#pending.at(-1);
      const joined = last === undefined ? null : joinDrafts(last.draft, piece);
      if (last !== undefined && joined !== null) last.draft = joined;
      else this.#pending.push({ at: this.#parts.clock.now(), draft: piece });
      this.#pendingText += 'text' in piece ? piece.text.length : 0;
    }
  }

  #commit(): void {
    this.#clearTimer();
    if (this.#pending.length === 0) return;
    const events = this.#number();
    this.#parts.store(events);
    this.#publish(events);
  }

  #number(): RunEvent[] {
    const { runId } = this.#parts;
    return this.#pending.map(({ at, draft }, i): RunEvent => {
      const seq = this.#lastSeq + 1 + i;
      // A union is not spread member by member; each draft is a whole event but for these three. They
      // come first, as when they are read back: a line of the log is the same bytes each time.
      return { runId, seq, at, ...draft } as RunEvent;
    });
  }

  #publish(events: readonly RunEvent[]): void {
    this.#pending = [];
    this.#pendingText = 0;
    this.#lastSeq += events.length;
    this.#isPublishing = true;
    try {
      this.#parts.publish(events);
    } finally {
      this.#isPublishing = false;
    }
  }

  #fail(error: unknown): void {
    this.#state = 'failed';
    this.#clearTimer();
    this.#parts.onFailure(error);
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
