import { AppError } from '#contract/errors.ts';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import type { Clock } from '../base/clock.ts';
import { joinDrafts, splitDraft } from './coalesce.ts';
import { DedupeFilter } from './dedupe.ts';

/** A write to the database that belongs to the events around it. */
export type Write = () => void;

export interface RunLogParts {
  readonly runId: string;
  /** Seq of the last stored event. */
  readonly lastSeq: number;
  readonly clock: Clock;
  /** Does the writes and stores the events and all that follows from them in one transaction, or throws. */
  readonly store: (events: readonly RunEvent[], writes: readonly Write[]) => void;
  /** Called once a batch is stored, in order. Must not throw. */
  readonly publish: (events: readonly RunEvent[]) => void;
  /** A batch could not be stored: from now on the log takes only the end. Called once at most. */
  readonly onFailure: (error: unknown) => void;
}

/** One frame of a screen: nobody sees updates that come faster. */
const FRAME_MS = 16;
/** Bounds the memory for pending events, however fast a program emits. */
const MAX_PENDING_EVENTS = 500;
const MAX_PENDING_TEXT = 1024 * 1024;

interface Pending {
  readonly at: number;
  draft: RunEventDraft;
}

/**
 * What a run is about to store: events and writes, joined within a frame and stored in one transaction. Drops
 * duplicate events, numbers and publishes them; the only place where events get their `seq`. What was
 * published is on disk, except the last event of a run that ends because the disk fails.
 */
export class RunLog {
  readonly #parts: RunLogParts;
  readonly #filter = new DedupeFilter();
  #pending: Pending[] = [];
  #pendingText = 0;
  /** Writes for the next batch. */
  #writes: Write[] = [];
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

  /** Remembers what an earlier process stored, so that it is not emitted twice. */
  replay(events: readonly RunEvent[]): void {
    for (const event of events) this.#filter.accept(event);
  }

  /** Adds an event. Never throws; does nothing once the log has failed or is closed. */
  emit(draft: RunEventDraft): void {
    if (this.#state !== 'open') return;
    try {
      this.#enqueue(draft);
    } catch (error) {
      // An event that cannot even be compared cannot be stored.
      this.#fail(error);
      return;
    }
    const isFull =
      this.#pending.length >= MAX_PENDING_EVENTS || this.#pendingText >= MAX_PENDING_TEXT;
    // A listener may emit, but the flush waits: other listeners would get events out of order.
    if (isFull && !this.#isPublishing) this.flush();
    else if (this.#pending.length > 0) this.#timer ??= setTimeout(() => this.flush(), FRAME_MS);
  }

  /** Does a write together with the pending events, at most a frame later. Never throws. */
  persist(write: Write): void {
    this.#writes.push(write);
    if (this.#state === 'open') this.#timer ??= setTimeout(() => this.flush(), FRAME_MS);
  }

  /**
   * Does a write now, together with all that is pending: what follows may depend on it. Throws what the store
   * throws, and if the log has failed or is closed: then the program must do nothing more. A listener must not
   * call it.
   */
  commit(write: Write): void {
    if (this.#state !== 'open') throw new AppError('CANCELLED', 'The log of this run is closed.');
    this.#writes.push(write);
    try {
      this.#commit();
    } catch (error) {
      this.#writes = this.#writes.filter((other) => other !== write);
      this.#fail(error);
      throw error;
    }
  }

  /** Stores and publishes what is pending. Never throws. */
  flush(): void {
    if (this.#state !== 'open' || this.#isPublishing) return;
    try {
      this.#commit();
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Adds the run's last event, stores and publishes everything pending, and closes. `onlyEnd` drops what is
   * pending. Throws what the store throws; then the log is still open for another try.
   */
  close(end: RunEventDraft, { onlyEnd = false } = {}): void {
    if (this.#state === 'closed') return;
    const before = onlyEnd ? [] : this.#pending;
    if (onlyEnd) this.#writes = [];
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

  /** Stores and publishes what is pending, also after a failure, and closes. Throws what the store throws. */
  closeWithoutEnd(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#clearTimer();
    this.#storePending();
  }

  /**
   * Publishes the run's last event although it cannot be stored, and closes: the end of a run must be seen.
   * The only event that is published before it is stored. Returns it, to be stored later.
   */
  closeUnstored(end: RunEventDraft): RunEvent[] {
    this.#pending = [{ at: this.#parts.clock.now(), draft: end }];
    const events = this.#number();
    this.#state = 'closed';
    this.#clearTimer();
    this.#publish(events);
    return events;
  }

  #enqueue(draft: RunEventDraft): void {
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
    if (this.#pending.length > 0 || this.#writes.length > 0) this.#storePending();
  }

  #storePending(): void {
    const events = this.#number();
    this.#parts.store(events, this.#writes);
    this.#writes = [];
    this.#publish(events);
  }

  #number(): RunEvent[] {
    const { runId } = this.#parts;
    return this.#pending.map(({ at, draft }, i): RunEvent => {
      const seq = this.#lastSeq + 1 + i;
      // The cast: TypeScript does not spread a union member by member; each draft is an event except for
      // these three. They come first, as when read back, so that a line of the log is always the same bytes.
      return { runId, seq, at, ...draft } as RunEvent;
    });
  }

  #publish(events: readonly RunEvent[]): void {
    if (events.length === 0) return;
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
