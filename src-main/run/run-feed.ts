import type { RunEvent } from '#contract/events/run-event.ts';
import type { Dispose } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { RunEventListener } from './types.ts';

/** Delivers events to listeners as they are stored. A reader of older events reads the log. */
export class RunFeed {
  readonly #logger: Logger;
  readonly #listeners = new Map<string, Set<RunEventListener>>();

  constructor(logger: Logger) {
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

  #deliver(listener: RunEventListener, events: readonly RunEvent[]): void {
    try {
      listener(events);
    } catch (error) {
      this.#logger.error('A listener of run events threw', { error });
    }
  }
}
