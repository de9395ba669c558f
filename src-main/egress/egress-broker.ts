import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { EgressConnection } from '#contract/egress.ts';
import { isAbortError } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { EgressStore } from '../storage/types.ts';
import { checkAddresses, checkDenied, checkPolicy } from './decide.ts';
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
  /** Those of this computer unless given. */
  readonly interfaces?: typeof networkInterfaces;
  /** How often the bytes of open connections are noted, in ms; 5 s unless given. */
  readonly noteEveryMs?: number;
}

interface Asked {
  readonly target: EgressTarget;
  readonly addresses: readonly string[];
  readonly caller: EgressCaller;
}

/** A connection from the moment on that it is dialled. */
interface Open extends Asked {
  /** Its line as it was noted last. */
  row: EgressConnection;
  /** Null while it is dialled. */
  socket: Socket | null;
  /** Breaks off the dialling. */
  readonly cut: AbortController;
}

const NOTE_EVERY_MS = 5_000;

/**
 * The one way out: whoever wants to leave this computer asks here. The policy is asked first, then the
 * name is resolved, every address is looked at, and what was looked at is dialled. Each attempt is a
 * line of the connection ledger before its first byte leaves. TLS is not opened.
 */
export class EgressBroker {
  readonly #parts: EgressBrokerParts;
  readonly #resolve: Resolve;
  readonly #open = new Set<Open>();
  #noting: NodeJS.Timeout | null = null;

  constructor(parts: EgressBrokerParts) {
    this.#parts = parts;
    this.#resolve = parts.resolve ?? resolveBySystem;
  }

  /** A connection to `target`. Throws `EgressDenied`, or the signal's reason. */
  async connect(target: EgressTarget, caller: EgressCaller, signal: AbortSignal): Promise<Socket> {
    signal.throwIfAborted();
    const addresses = await this.#clear(target, caller, signal);
    return await this.#dial({ target, caller, addresses }, signal);
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

  /**
   * Ends every connection that the rules of now would not make, those that are being dialled too: the
   * switch takes hold at once.
   */
  enforce(): void {
    for (const open of this.#open) {
      try {
        checkPolicy(open.target, open.caller);
        this.#checkAddresses(open);
      } catch (error) {
        if (!(error instanceof EgressDenied)) throw error;
        end(open, error);
      }
    }
  }

  /** Ends what a caller has open or dials, by whatever it is known. */
  closeAll(belongs: (caller: EgressCaller) => boolean): void {
    for (const open of this.#open) if (belongs(open.caller)) end(open, null);
  }

  /** The addresses of a target that may be reached. Notes and throws the denial of any other. */
  async #clear(
    target: EgressTarget,
    caller: EgressCaller,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    try {
      checkPolicy(target, caller);
      const [addresses, deniedHosts] = await Promise.all([
        this.#addressesOf(target, signal),
        this.#deniedHosts(caller, signal),
      ]);
      checkDenied({ target, addresses }, deniedHosts);
      this.#checkAddresses({ target, addresses, caller });
      // Rules may have changed while the name was looked up.
      checkPolicy(target, caller);
      return addresses;
    } catch (error) {
      if (error instanceof EgressDenied) this.refuse(error, caller);
      throw error;
    }
  }

  #checkAddresses(asked: Asked): void {
    const { interfaces = networkInterfaces } = this.#parts;
    checkAddresses({ ...asked, interfaces: interfaces() });
  }

  async #addressesOf(target: EgressTarget, signal: AbortSignal): Promise<readonly string[]> {
    try {
      return await this.#resolve(target.host, signal);
    } catch (error) {
      if (signal.aborted || isAbortError(error)) throw error;
      throw new EgressDenied('unresolved', `${target.host} has no address.`, target);
    }
  }

  /** The hosts that rules deny, with the addresses that they have now; wildcards name no host. */
  async #deniedHosts(
    caller: EgressCaller,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const hosts = caller.denied().filter(({ isWildcard }) => !isWildcard);
    const found = hosts.map(async ({ host }): Promise<[string, readonly string[]]> => {
      const addresses = await this.#resolve(host, signal).catch(() => []);
      return [host, addresses];
    });
    return new Map(await Promise.all(found));
  }

  async #dial(asked: Asked, signal: AbortSignal): Promise<Socket> {
    const { target, caller, addresses } = asked;
    const [first = ''] = addresses;
    const row = this.#parts.store.begin({
      ...{ runId: caller.runId, actor: caller.actor, host: target.host, port: target.port },
      ...{ address: first, verdict: 'allowed', reason: null },
    });
    const open: Open = { ...asked, row, socket: null, cut: new AbortController() };
    this.#add(open);
    this.#parts.onConnection?.(row);
    try {
      const either = AbortSignal.any([signal, open.cut.signal]);
      const socket = await dialFirst(addresses, target.port, either);
      open.socket = socket;
      // Who uses it listens too; an error that comes before that must not end the app.
      socket.on('error', () => undefined);
      socket.once('close', () => this.#end(open, sumsOf(open)));
      open.row = { ...row, address: socket.remoteAddress ?? first };
      // It may have been cut off in the moment in which somebody answered.
      if (either.aborted) socket.destroy();
      either.throwIfAborted();
      return socket;
    } catch (error) {
      const reason = error instanceof EgressDenied ? error.reason : 'unreachable';
      this.#end(open, { verdict: 'failed', reason });
      signal.throwIfAborted();
      if (error instanceof EgressDenied) throw error;
      const message = `${shownTarget(target)} does not answer.`;
      const failure = new EgressDenied('unreachable', message, target);
      failure.cause = error;
      throw failure;
    }
  }

  #add(open: Open): void {
    this.#open.add(open);
    const every = this.#parts.noteEveryMs ?? NOTE_EVERY_MS;
    this.#noting ??= setInterval(() => this.#noteSums(), every).unref();
  }

  #end(open: Open, rest: Partial<EgressConnection>): void {
    if (!this.#open.delete(open)) return;
    if (this.#open.size === 0 && this.#noting !== null) {
      clearInterval(this.#noting);
      this.#noting = null;
    }
    this.#note(open, { ...open.row, endedAt: this.#parts.clock.now(), ...rest });
  }

  /** So that the list is right about connections that stay open, and about those that a crash ends. */
  #noteSums(): void {
    for (const open of this.#open) {
      const row = { ...open.row, ...sumsOf(open) };
      const { sentBytes, receivedBytes } = open.row;
      if (row.sentBytes !== sentBytes || row.receivedBytes !== receivedBytes) this.#note(open, row);
    }
  }

  #note(open: Open, row: EgressConnection): void {
    const { store, onConnection, logger } = this.#parts;
    open.row = row;
    try {
      store.finish(row);
    } catch (error) {
      // The line that it was made stays; only its sums are missing.
      logger.warn('What a connection carried could not be noted', { id: row.id, error });
    }
    onConnection?.(row);
  }
}

/** With a reason for whoever uses it, where there is one. */
function end({ target, socket, cut }: Open, reason: EgressDenied | null): void {
  const ended = 'It was ended together with what it was made for.';
  cut.abort(reason ?? new EgressDenied('no_run', ended, target));
  socket?.destroy(reason ?? undefined);
}

function sumsOf({ socket }: Open): Pick<EgressConnection, 'sentBytes' | 'receivedBytes'> {
  return { sentBytes: socket?.bytesWritten ?? 0, receivedBytes: socket?.bytesRead ?? 0 };
}
