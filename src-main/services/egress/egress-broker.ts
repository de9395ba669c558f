import type { Socket } from 'node:net';
import type { EgressConnection } from '#contract/egress.ts';
import { isAbortError } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { EgressStore } from '../../storage/types.ts';
import { checkAddresses, checkPolicy } from './decide.ts';
import { EgressDenied } from './denied.ts';
import { dialFirst, resolveBySystem } from './dial.ts';
import { type EgressTarget, shownTarget } from './target.ts';
import type { EgressCaller, Resolve } from './types.ts';

export interface EgressBrokerParts {
  readonly store: EgressStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told of every new line of the list, and again when its connection ended. */
  readonly onConnection?: (connection: EgressConnection) => void;
  readonly resolve?: Resolve;
}

interface Open {
  readonly socket: Socket;
  readonly target: EgressTarget;
  readonly addresses: readonly string[];
  readonly caller: EgressCaller;
}

/**
 * The one way out: whoever wants to leave this computer asks here. The policy is asked first, then the
 * name is resolved, every address is looked at, and what was looked at is dialled. Each attempt is a
 * line of the connection ledger before its first byte leaves. TLS is not opened.
 */
export class EgressBroker {
  readonly #parts: EgressBrokerParts;
  readonly #resolve: Resolve;
  readonly #open = new Set<Open>();

  constructor(parts: EgressBrokerParts) {
    this.#parts = parts;
    this.#resolve = parts.resolve ?? resolveBySystem;
  }

  /** A connection to `target`. Throws `EgressDenied`, or the signal's reason. */
  async connect(target: EgressTarget, caller: EgressCaller, signal: AbortSignal): Promise<Socket> {
    signal.throwIfAborted();
    try {
      checkPolicy(target, caller);
      const addresses = await this.#addressesOf(target, signal);
      checkAddresses(target, addresses, caller);
      // Rules may have changed while the name was looked up.
      checkPolicy(target, caller);
      return await this.#dial({ target, caller, addresses }, signal);
    } catch (error) {
      if (error instanceof EgressDenied && error.reason !== 'unreachable') {
        this.refuse(error, caller);
      }
      throw error;
    }
  }

  /** Whether the policy lets `target` out, as far as that is known before its name is resolved. */
  lets(target: EgressTarget, caller: EgressCaller): boolean {
    try {
      checkPolicy(target, caller);
      return true;
    } catch (error) {
      if (error instanceof EgressDenied) return false;
      throw error;
    }
  }

  /** Notes an attempt that was turned away before it came here. */
  refuse({ host, port, reason }: EgressDenied, { actor, runId }: EgressCaller): void {
    const { store, onConnection } = this.#parts;
    // Whatever was asked for is shown, but nobody fills the list with one line.
    const shown = host.slice(0, 255);
    const line = { runId, actor, host: shown, port, address: null, reason } as const;
    const row = store.begin({ ...line, verdict: 'denied' });
    onConnection?.(row);
  }

  /** Ends every open connection that the rules of now would not make: the switch takes hold at once. */
  enforce(): void {
    for (const { socket, target, addresses, caller } of this.#open) {
      try {
        checkPolicy(target, caller);
        checkAddresses(target, addresses, caller);
      } catch (error) {
        if (!(error instanceof EgressDenied)) throw error;
        socket.destroy(error);
      }
    }
  }

  /** Ends what a caller has open, by whatever it is known. */
  closeAll(belongs: (caller: EgressCaller) => boolean): void {
    for (const { socket, caller } of this.#open) if (belongs(caller)) socket.destroy();
  }

  async #addressesOf(target: EgressTarget, signal: AbortSignal): Promise<readonly string[]> {
    try {
      return await this.#resolve(target.host, signal);
    } catch (error) {
      if (signal.aborted || isAbortError(error)) throw error;
      throw new EgressDenied('unresolved', `${target.host} has no address.`, target);
    }
  }

  async #dial(asked: Omit<Open, 'socket'>, signal: AbortSignal): Promise<Socket> {
    const { target, caller, addresses } = asked;
    const { store, onConnection, logger, clock } = this.#parts;
    const [first = ''] = addresses;
    const row = store.begin({
      ...{ runId: caller.runId, actor: caller.actor, host: target.host, port: target.port },
      ...{ address: first, verdict: 'allowed', reason: null },
    });
    onConnection?.(row);
    const end = (rest: Partial<EgressConnection>): void => {
      const ended = { ...row, endedAt: clock.now(), ...rest };
      try {
        store.finish(ended);
      } catch (error) {
        // The line that it was made stays; only its sums are missing.
        logger.warn('The end of a connection could not be noted', { id: row.id, error });
      }
      onConnection?.(ended);
    };
    try {
      const socket = await dialFirst(addresses, target.port, signal);
      const open: Open = { ...asked, socket };
      this.#open.add(open);
      const address = socket.remoteAddress ?? first;
      socket.once('close', () => {
        this.#open.delete(open);
        end({ address, sentBytes: socket.bytesWritten, receivedBytes: socket.bytesRead });
      });
      // Who uses it listens too; an error that comes before that must not end the app.
      socket.on('error', () => undefined);
      return socket;
    } catch (error) {
      end({ verdict: 'failed', reason: 'unreachable' });
      signal.throwIfAborted();
      const message = `${shownTarget(target)} does not answer.`;
      const failure = new EgressDenied('unreachable', message, target);
      failure.cause = error;
      throw failure;
    }
  }
}
