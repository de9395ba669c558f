import type { RunEvent } from '#contract/events/run-event.ts';
import type { Dispose } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { EventReader } from '../storage/types.ts';
import type { RunEventListener } from './types.ts';

/** Events read from the log at once while a reader catches up. */
const CATCH_UP_PAGE = 500;
const READ_AGAIN_MS = 1_000;

/** Brings stored events to whoever listens. */
export class RunFeed {
  readonly #events: EventReader;
  readonly #logger: Logger;
  readonly #listeners = new Map<string, Set<RunEventListener>>();

  constructor(events: EventReader, logger: Logger) {
    this.#events = events;
    this.#logger = logger;
  }

  /** Tells everyone of events that are on disk now. A listener that throws harms nobody else. */
  publish(runId: string, events: readonly RunEvent[]): void {
    for (const listener of [...(this.#listeners.get(runId) ?? [])]) {
      this.#deliver(listener, events);
    }
  }

  /** From now on, without what was before. */
  listen(runId: string, listener: RunEventListener): Dispose {
    const listeners = this.#listeners.get(runId) ?? new Set();
    this.#listeners.set(runId, listeners);
    // A function of our own for each call, so that the same listener may be given twice.
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
   * Everything after `afterSeq`, in order, each event once: first what is stored, in pages, with
   * room for other work between them, then what comes. Nothing is delivered before this returns.
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
    // What is published while pages are read is on disk too and comes with a later page: nothing
    // waits in memory for a reader who is far behind.
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

  /** Null when the disk refuses. Then the reader waits: to go on without would leave a gap. */
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
