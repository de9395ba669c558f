import type { PushMessage } from '#contract/requests.ts';
import type { Dispose } from '../base/disposable.ts';
import { newId } from '../base/ids.ts';
import type { Client } from './types.ts';

/** Pushes that a window has not seen yet, above which it is slow, and up to which it is quick again. */
const CONGESTED_AT = 8;
const CLEAR_AT = 2;

/** A window whose transport tells nothing of its queue: it acknowledges each push once it saw it. */
export class WindowClient implements Client {
  readonly id = newId('window');
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

  /** The window saw one more push. The last ones of a page that was left may arrive too: never below 0. */
  seen(): void {
    this.#unseen = Math.max(0, this.#unseen - 1);
    if (!this.#wasCongested || this.#unseen > CLEAR_AT) return;
    this.#wasCongested = false;
    for (const listener of this.#drainListeners) listener();
  }
}
