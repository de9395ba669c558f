import {
  type HyperagentBridge,
  type PushMessage,
  REQUESTS,
  type RequestInput,
  type RequestName,
  type RequestResult,
} from '#contract/requests.ts';
import type { AppBridge, Connection, ConnectionState } from './app-bridge.ts';

export interface WebSocketBridgeOptions {
  readonly url: string;
  /** Shown as the subprotocol `hyperagent.<token>`; null opens nothing. */
  readonly token: string | null;
}

interface Pending {
  readonly name: RequestName;
  /** The run that it subscribes to; null for any other request. */
  readonly runId: string | null;
  /** As JSON, of the moment in which it was asked. */
  readonly input: string;
  /** By which main recognises a request that does something; null for one that reads. */
  readonly key: number | null;
  readonly resolve: (result: RequestResult<RequestName>) => void;
  sent: boolean;
  /** Sent on a connection that broke. */
  again: boolean;
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 8_000;
/** After this many failed attempts and no success, the token counts as stale. */
const ATTEMPTS_BEFORE_REFUSED = 4;

/**
 * The contract over a WebSocket. When the socket breaks, it reconnects, repeats every request without an answer, and
 * subscribes after the last event that it passed on. A request that changes something carries a key: if it arrived
 * before, main returns its first answer.
 */
export class WebSocketBridge implements AppBridge, HyperagentBridge {
  readonly connection: Connection;
  readonly #url: string;
  readonly #pending = new Map<number, Pending>();
  /** The last seq that was passed on, by subscribed run. */
  readonly #subscriptions = new Map<string, number>();
  readonly #pushListeners = new Set<(message: PushMessage) => void>();
  readonly #stateListeners = new Set<(state: ConnectionState) => void>();
  #socket: WebSocket | null = null;
  #state: ConnectionState = 'connecting';
  #everOpen = false;
  #attempts = 0;
  #nextId = 1;
  readonly #session = crypto.randomUUID();
  #nextKey = 1;
  #retry: ReturnType<typeof setTimeout> | null = null;

  constructor({ url, token }: WebSocketBridgeOptions) {
    this.#url = url;
    this.connection = {
      state: () => this.#state,
      onChange: (listener) => {
        this.#stateListeners.add(listener);
        return () => this.#stateListeners.delete(listener);
      },
    };
    if (token === null) this.#state = 'refused';
    else this.#open(token);
  }

  request<Name extends RequestName>(
    name: Name,
    input: RequestInput<Name>,
  ): Promise<RequestResult<Name>> {
    const runId = this.#noteSubscription(name, input);
    if (this.#state === 'refused' || (this.#state === 'lost' && REQUESTS[name].effect === 'once')) {
      return Promise.resolve(
        disconnected(
          'Nothing was changed: the connection to the app is lost. Try again once it is back.',
        ),
      );
    }
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const pending: Pending = {
        name,
        runId,
        input: JSON.stringify(input),
        key: REQUESTS[name].effect === 'once' ? this.#nextKey++ : null,
        // The answer to a request has the shape that the contract ties to its name.
        resolve: resolve as Pending['resolve'],
        sent: false,
        again: false,
      };
      this.#pending.set(id, pending);
      this.#send(id, pending);
    });
  }

  cancel(runId: string): Promise<RequestResult<'runs.cancel'>> {
    return this.request('runs.cancel', { runId });
  }

  onEvent(listener: (message: PushMessage) => void): () => void {
    this.#pushListeners.add(listener);
    return () => this.#pushListeners.delete(listener);
  }

  /** Closes the socket for good. */
  close(): void {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#setState('refused');
    this.#socket?.close();
  }

  #open(token: string): void {
    const socket = new WebSocket(this.#url, `hyperagent.${token}`);
    this.#socket = socket;
    socket.addEventListener('open', () => this.#opened());
    socket.addEventListener('message', (event) => this.#receive(String(event.data)));
    socket.addEventListener('close', () => this.#closed(token));
  }

  #opened(): void {
    this.#everOpen = true;
    this.#attempts = 0;
    this.#setState('open');
    const subscribing = new Set([...this.#pending.values()].map(({ runId }) => runId));
    for (const [runId, afterSeq] of this.#subscriptions) {
      // A request that still waits to be sent makes its own subscription.
      if (!subscribing.has(runId)) void this.request('runs.subscribe', { runId, afterSeq });
    }
    for (const [id, pending] of this.#pending) if (!pending.sent) this.#send(id, pending);
  }

  #closed(token: string): void {
    this.#socket = null;
    if (this.#state === 'refused') {
      this.#failPending();
      return;
    }
    this.#attempts += 1;
    for (const pending of this.#pending.values()) {
      pending.again ||= pending.sent;
      pending.sent = false;
    }
    if (!this.#everOpen && this.#attempts >= ATTEMPTS_BEFORE_REFUSED) {
      this.#setState('refused');
      this.#failPending();
      return;
    }
    this.#setState(this.#everOpen ? 'lost' : 'connecting');
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.#attempts - 1));
    this.#retry = setTimeout(() => this.#open(token), wait);
  }

  #failPending(): void {
    for (const [id, { resolve }] of this.#pending) {
      this.#pending.delete(id);
      resolve(
        disconnected(
          'The connection to the app was lost. Check whether this was done before you try again.',
        ),
      );
    }
  }

  #send(id: number, pending: Pending): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    pending.sent = true;
    const { name, input, key, again } = pending;
    const keyed =
      key === null
        ? ''
        : `,"key":${JSON.stringify({ session: this.#session, number: key, again })}`;
    this.#socket.send(`{"id":${id},"name":${JSON.stringify(name)},"input":${input}${keyed}}`);
  }

  #receive(text: string): void {
    const frame = JSON.parse(text) as
      | { readonly id: number; readonly result: RequestResult<RequestName> }
      | { readonly push: PushMessage };
    if ('push' in frame) {
      this.#push(frame.push);
      return;
    }
    const pending = this.#pending.get(frame.id);
    this.#pending.delete(frame.id);
    pending?.resolve(frame.result);
  }

  #push(message: PushMessage): void {
    if (message.kind === 'events' && this.#subscriptions.has(message.runId)) {
      const last = message.events.at(-1);
      if (last !== undefined) this.#subscriptions.set(message.runId, last.seq);
    }
    for (const listener of this.#pushListeners) listener(message);
  }

  /** The run that is subscribed to; null for any other request. */
  #noteSubscription<Name extends RequestName>(
    name: Name,
    input: RequestInput<Name>,
  ): string | null {
    if (name === 'runs.unsubscribe') {
      this.#subscriptions.delete((input as RequestInput<'runs.unsubscribe'>).runId);
    }
    if (name !== 'runs.subscribe') return null;
    const { runId, afterSeq } = input as RequestInput<'runs.subscribe'>;
    this.#subscriptions.set(runId, afterSeq);
    return runId;
  }

  #setState(state: ConnectionState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener(state);
  }
}

function disconnected(message: string): { ok: false; error: DisconnectedError } {
  return { ok: false, error: { code: 'DISCONNECTED', message, details: {} } };
}

interface DisconnectedError {
  readonly code: 'DISCONNECTED';
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}
