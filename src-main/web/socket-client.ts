import type { WebSocket } from 'ws';
import type { PushMessage } from '#contract/requests.ts';
import type { Dispose } from '../base/disposable.ts';
import type { Client } from '../transport/client-outbox.ts';

/** Buffered bytes above which a window counts as congested, and below which it counts as clear again. */
const CONGESTED_BYTES = 1024 * 1024;
const CLEAR_BYTES = 64 * 1024;

/** A window connected by a WebSocket. */
export class SocketClient implements Client {
  readonly #socket: WebSocket;
  readonly #closing = new AbortController();
  readonly #drainListeners = new Set<() => void>();
  #wasCongested = false;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('close', () => this.#closing.abort());
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  send(message: PushMessage): void {
    this.sendFrame({ push: message });
  }

  /** Sends any frame. Does nothing if the window is gone. */
  sendFrame(frame: unknown): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(JSON.stringify(frame), () => this.#notifyDrained());
  }

  isCongested(): boolean {
    this.#wasCongested ||= this.#socket.bufferedAmount > CONGESTED_BYTES;
    return this.#wasCongested;
  }

  onDrain(listener: () => void): Dispose {
    this.#drainListeners.add(listener);
    return () => this.#drainListeners.delete(listener);
  }

  #notifyDrained(): void {
    if (!this.#wasCongested || this.#socket.bufferedAmount > CLEAR_BYTES) return;
    this.#wasCongested = false;
    for (const listener of this.#drainListeners) listener();
  }
}
