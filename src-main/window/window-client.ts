import type { PushMessage } from '#contract/requests.ts';
import type { Dispose } from '../base/disposable.ts';
import type { Client } from '../transport/client-outbox.ts';

/** Unacknowledged pushes at which a window counts as congested, and at which it counts as clear again. */
const CONGESTED_AT = 8;
const CLEAR_AT = 2;

/** A window whose transport does not expose its queue: the window acknowledges each push. */
export class WindowClient implements Client {
  readonly #deliver: (message: PushMessage) => void;
  readonly #closing = new AbortController();
  readonly #drainListeners = new Set<() => void>();
  #unseen = 0;
  #wasCongested = false;

  constructor(deliver: (message: PushMessage) => void) {
    this.#deliver = deliver;
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  close(): void {
    this.#closing.abort();
    this.#drainListeners.clear();
  }

  send(message: PushMessage): void {
    if (this.closed.aborted) return;
    this.#unseen += 1;
    this.#deliver(message);
  }

  isCongested(): boolean {
    this.#wasCongested ||= this.#unseen >= CONGESTED_AT;
    return this.#wasCongested;
  }

  onDrain(listener: () => void): Dispose {
    this.#drainListeners.add(listener);
    return () => this.#drainListeners.delete(listener);
  }

  /** The window acknowledged a push. Late acknowledgements of the previous page never take it below 0. */
  seen(): void {
    this.#unseen = Math.max(0, this.#unseen - 1);
    if (!this.#wasCongested || this.#unseen > CLEAR_AT) return;
    this.#wasCongested = false;
    for (const listener of this.#drainListeners) listener();
  }
}
