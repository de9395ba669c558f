import type { RunEvent } from '#contract/events/run-event.ts';
import type { Dispose } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { EventReader } from '../storage/types.ts';
import type { RunEventListener } from './types.ts';

/** How many events are read from the log at once while a reader catches up. */
const CATCH_UP_PAGE = 500;
const READ_AGAIN_MS = 1_000;

/** Delivers stored events to listeners. */
export class RunFeed {
  readonly #events: EventReader;
  readonly #logger: Logger;
  readonly #listeners = new Map<string, Set<RunEventListener>>();

  constructor(events: EventReader, logger: Logger) {
    this.#events = events;
    this.#logger = logger;
  }

  /** Delivers events that are now on disk to all listeners. One that throws does not affect the others. */
  publish(runId: string, events: readonly RunEvent[]): void {
    for (const listener of [...(this.#listeners.get(runId) ?? [])]) {
      this.#deliver(listener, events);
    }
  }

  /** Delivers new events only. */
  listen(runId: string, listener: RunEventListener): Dispose {
    const listeners = this.#listeners.get(runId) ?? new Set();
    this.#listeners.set(runId, listeners);
    // A new function for each call, so that the same listener may be added twice.
    const entry: RunEventListener = (events) => listener(events);
    listeners.add(entry);
    return () => {
      listeners.delete(entry);
      if (listeners.size === 0 && this.#listeners.get(runId) === listeners) {
        this.#listeners.delete(runId);
      }
    };
  }

  /**
   * Delivers everything after `afterSeq`, in order, each event once: first the stored events, in pages that
   * let other work run in between, then new ones. Nothing is delivered before this returns.
   */
  subscribe(runId: string, afterSeq: number, listener: RunEventListener): Dispose {
    let cursor = afterSeq;
    let isCatchingUp = true;
    let isDisposed = false;
    const deliver = (events: readonly RunEvent[]): void => {
      const next = events.filter(({ seq }) => seq > cursor);
      cursor = next.at(-1)?.seq ?? cursor;
      if (next.length > 0) this.#deliver(listener, next);
    };
    // Events published meanwhile are also on disk and come with a later page: nothing waits in memory for
    // a reader that is far behind.
    const stop = this.listen(runId, (events) => {
      if (!isCatchingUp) deliver(events);
    });
    const catchUp = (): void => {
      if (isDisposed) return;
      const page = this.#read(runId, cursor);
      if (page === null) {
        setTimeout(catchUp, READ_AGAIN_MS).unref();
        return;
      }
      if (page.length === 0) {
        isCatchingUp = false;
        return;
      }
      deliver(page);
      setImmediate(catchUp);
    };
    queueMicrotask(catchUp);
    return () => {
      isDisposed = true;
      stop();
    };
  }

  /** Null if the disk fails. Then the reader waits, because skipping a page would leave a gap. */
  #read(runId: string, cursor: number): RunEvent[] | null {
    try {
      return this.#events.page(runId, cursor, CATCH_UP_PAGE);
    } catch (error) {
      this.#logger.error('The log of a run cannot be read', { runId, error });
      return null;
    }
  }

  #deliver(listener: RunEventListener, events: readonly RunEvent[]): void {
    try {
      listener(events);
    } catch (error) {
      this.#logger.error('A listener of run events threw', { error });
    }
  }
}
