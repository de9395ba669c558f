import type { RunEvent } from '#contract/events/run-event.ts';
import type { PushMessage } from '#contract/requests.ts';
import type { Dispose } from '../base/disposable.ts';
import type { Client } from '../transport/client-outbox.ts';

/**
 * Standard output as a client: it receives a run's events only as fast as its reader takes them, so
 * that a slow reader costs no memory.
 */
export class StdoutClient implements Client {
  readonly #closing = new AbortController();
  readonly #stream: NodeJS.WriteStream;
  readonly #onEvents: (events: readonly RunEvent[]) => void;
  readonly #waiting = new Set<{ readonly seq: number; readonly resolve: () => void }>();
  #lastSeq = 0;

  constructor(stream: NodeJS.WriteStream, onEvents: (events: readonly RunEvent[]) => void) {
    this.#stream = stream;
    this.#onEvents = onEvents;
    // The reader closed the pipe, as `head` does when it has enough.
    stream.on('error', () => this.#closing.abort());
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  send(message: PushMessage): void {
    if (message.kind !== 'events' || this.closed.aborted) return;
    this.#onEvents(message.events);
    this.#lastSeq = message.events.at(-1)?.seq ?? this.#lastSeq;
    for (const waiter of this.#waiting) {
      if (waiter.seq <= this.#lastSeq) waiter.resolve();
    }
  }

  isCongested(): boolean {
    return this.#stream.writableNeedDrain;
  }

  onDrain(listener: () => void): Dispose {
    this.#stream.on('drain', listener);
    return () => this.#stream.off('drain', listener);
  }

  /** Resolves once the event `seq` is written, or the reader is gone. */
  async reached(seq: number): Promise<void> {
    if (this.#lastSeq >= seq || this.closed.aborted) return;
    await new Promise<void>((resolve) => {
      const waiter = { seq, resolve };
      this.#waiting.add(waiter);
      this.closed.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
