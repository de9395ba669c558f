import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { EgressActor, EgressConnection } from '#contract/egress.ts';
import { isAbortError } from '../base/abort.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { EgressStore } from '../storage/types.ts';
import { checkAddresses, checkDenied, checkPolicy, shareAddress } from './decide.ts';
import { EgressDenied } from './denied.ts';
import { dialFirst, resolveBySystem } from './dial.ts';
import type { HostPattern } from './host-pattern.ts';
import { RememberedAddresses } from './remembered-addresses.ts';
import { type EgressTarget, shownTarget } from './target.ts';
import type { EgressCaller, HostLimits, Resolve } from './types.ts';

export interface EgressBrokerParts {
  readonly store: EgressStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called for every new row of the ledger, and again when its connection has ended. */
  readonly onConnection?: (connection: EgressConnection) => void;
  readonly resolve?: Resolve;
  readonly limits?: HostLimits;
  /** Defaults to those of this computer. */
  readonly interfaces?: typeof networkInterfaces;
  /** How often the bytes of open connections are noted, in ms; 5 s unless given. */
  readonly recordEveryMs?: number;
}

interface Asked {
  readonly target: EgressTarget;
  readonly addresses: readonly string[];
  readonly caller: EgressCaller;
}

/** A connection, from the start of dialling. */
interface Open extends Asked {
  /** Its row as last recorded. */
  row: EgressConnection;
  /** Null while dialling. */
  socket: Socket | null;
  /** Aborts the dialling. */
  readonly cut: AbortController;
}

const RECORD_EVERY_MS = 5_000;

/**
 * Makes every outgoing connection of the app. It checks the policy, resolves the name, checks every
 * address, and dials an address that it checked. Each attempt is a row of the connection ledger before
 * its first byte leaves. TLS is not intercepted.
 */
export class EgressBroker {
  readonly #parts: EgressBrokerParts;
  readonly #resolve: Resolve;
  readonly #open = new Set<Open>();
  readonly #limited: RememberedAddresses;
  #recorder: NodeJS.Timeout | null = null;

  constructor(parts: EgressBrokerParts) {
    this.#parts = parts;
    this.#resolve = parts.resolve ?? resolveBySystem;
    this.#limited = new RememberedAddresses(this.#resolve, parts.clock);
  }

  /** A connection to `target`. Throws `EgressDenied`, or the signal's reason. */
  async connect(target: EgressTarget, caller: EgressCaller, signal: AbortSignal): Promise<Socket> {
    signal.throwIfAborted();
    const addresses = await this.#clear(target, caller, signal);
    return await this.#dial({ target, caller, addresses }, signal);
  }

  /** Whether the policy allows `target`; its name is not resolved for this. */
  allows(target: EgressTarget, caller: EgressCaller): boolean {
    try {
      this.#checkLimits(target, caller);
      checkPolicy(target, caller);
      return true;
    } catch (error) {
      if (error instanceof EgressDenied) return false;
      throw error;
    }
  }

  /** Why the policy of this computer forbids `target` to an actor; null if it does not. */
  limitOn(target: EgressTarget, actor: EgressActor): string | null {
    return this.#parts.limits?.refuses(target, actor) ?? null;
  }

  /** Records an attempt that was refused before it reached the broker. */
  refuse({ host, port, reason }: EgressDenied, { actor, runId }: EgressCaller): void {
    const { store, onConnection } = this.#parts;
    // Any requested host is shown, but one row must not fill the list.
    const shown = host.slice(0, 255);
    const line = { runId, actor, host: shown, port, address: null, reason } as const;
    const row = store.begin({ ...line, verdict: 'denied' });
    onConnection?.(row);
  }

  /**
   * Ends every connection, also those still dialling, that the current rules do not allow: the network
   * switch takes effect at once.
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

  /** Ends all connections of matching callers, also those still dialling. */
  closeAll(belongs: (caller: EgressCaller) => boolean): void {
    for (const open of this.#open) if (belongs(open.caller)) end(open, null);
  }

  /** The addresses of an allowed target. Otherwise records the denial and throws it. */
  async #clear(
    target: EgressTarget,
    caller: EgressCaller,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    try {
      this.#checkLimits(target, caller);
      checkPolicy(target, caller);
      const [addresses, deniedHosts] = await Promise.all([
        this.#addressesOf(target, signal),
        this.#deniedHosts(caller.denied(), signal),
      ]);
      checkDenied({ target, addresses }, deniedHosts);
      await this.#checkLimitedAddresses(target, addresses, signal);
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

  #checkLimits(target: EgressTarget, { actor }: EgressCaller): void {
    const why = this.limitOn(target, actor);
    if (why !== null) throw new EgressDenied('denied_by_policy', why, target);
  }

  /** Throws where one of the addresses is that of a host that the policy denies: the same host under another name. */
  async #checkLimitedAddresses(
    target: EgressTarget,
    addresses: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const limited = (this.#parts.limits?.denied ?? []).filter(
      ({ isWildcard, ports }) => !isWildcard && (ports === null || ports.includes(target.port)),
    );
    const found = limited.map(
      async ({ host }) => [host, await this.#limited.addressesOf(host, signal)] as const,
    );
    for (const [host, theirs] of await Promise.all(found)) {
      if (!shareAddress(addresses, theirs)) continue;
      const why = `${shownTarget(target)} was not contacted: it has the address of ${host}, which the policy of this computer denies.`;
      throw new EgressDenied('denied_by_policy', why, target);
    }
  }

  /** Hosts that rules deny, with their current addresses; a wildcard has none to look up. */
  async #deniedHosts(
    patterns: readonly HostPattern[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const hosts = patterns.filter(({ isWildcard }) => !isWildcard);
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
      runId: caller.runId,
      actor: caller.actor,
      host: target.host,
      port: target.port,
      address: first,
      verdict: 'allowed',
      reason: null,
    });
    const open: Open = { ...asked, row, socket: null, cut: new AbortController() };
    this.#add(open);
    this.#parts.onConnection?.(row);
    try {
      const either = AbortSignal.any([signal, open.cut.signal]);
      const socket = await dialFirst(addresses, target.port, either);
      open.socket = socket;
      // The caller listens too; an earlier error must not end the app.
      socket.on('error', () => undefined);
      socket.once('close', () => this.#end(open, sumsOf(open)));
      open.row = { ...row, address: socket.remoteAddress ?? first };
      // It may have been aborted just as the server answered.
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
    const every = this.#parts.recordEveryMs ?? RECORD_EVERY_MS;
    this.#recorder ??= setInterval(() => this.#recordSums(), every).unref();
  }

  #end(open: Open, rest: Partial<EgressConnection>): void {
    if (!this.#open.delete(open)) return;
    if (this.#open.size === 0 && this.#recorder !== null) {
      clearInterval(this.#recorder);
      this.#recorder = null;
    }
    this.#record(open, { ...open.row, endedAt: this.#parts.clock.now(), ...rest });
  }

  /** Keeps the ledger right for connections that stay open, and for those that a crash ends. */
  #recordSums(): void {
    for (const open of this.#open) {
      const row = { ...open.row, ...sumsOf(open) };
      const { sentBytes, receivedBytes } = open.row;
      if (row.sentBytes !== sentBytes || row.receivedBytes !== receivedBytes)
        this.#record(open, row);
    }
  }

  #record(open: Open, row: EgressConnection): void {
    const { store, onConnection, logger } = this.#parts;
    open.row = row;
    try {
      store.finish(row);
    } catch (error) {
      // The row about the attempt stays; only its byte counts are missing.
      logger.warn('Could not record the byte counts of a connection', { id: row.id, error });
    }
    onConnection?.(row);
  }
}

/** Passes a reason to the socket's user, if there is one. */
function end({ target, socket, cut }: Open, reason: EgressDenied | null): void {
  const ended = 'The connection was closed together with its run, or with the app.';
  cut.abort(reason ?? new EgressDenied('no_run', ended, target));
  socket?.destroy(reason ?? undefined);
}

function sumsOf({ socket }: Open): Pick<EgressConnection, 'sentBytes' | 'receivedBytes'> {
  return { sentBytes: socket?.bytesWritten ?? 0, receivedBytes: socket?.bytesRead ?? 0 };
}
