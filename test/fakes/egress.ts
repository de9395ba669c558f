import type { NetworkInterfaceInfo } from 'node:os';
import type { EgressConnection } from '#contract/egress.ts';
import type { ApprovalRule } from '#contract/entities.ts';
import { Settings } from '#contract/settings.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { AppEgress } from '#main/egress/app-egress.ts';
import { EgressBroker } from '#main/egress/egress-broker.ts';
import type { HostLimits, Resolve } from '#main/egress/types.ts';
import type { EgressStore } from '#main/storage/types.ts';

/** A list of connections in memory. */
export function memoryEgressStore(): EgressStore & { readonly lines: EgressConnection[] } {
  const lines: EgressConnection[] = [];
  return {
    lines,
    begin: (line) => {
      const times = { at: systemClock.now(), endedAt: null };
      const row = { ...line, id: lines.length + 1, ...times, sentBytes: 0, receivedBytes: 0 };
      lines.push(row);
      return row;
    },
    finish: (connection) => {
      lines[connection.id - 1] = connection;
    },
    list: ({ runId }) =>
      lines.filter((line) => runId === undefined || line.runId === runId).toReversed(),
  };
}

export interface TestEgressOptions {
  /** Changed in place by tests that turn a switch. */
  readonly settings?: { current: Settings };
  /** Names and their addresses; every other name has none. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly resolve?: Resolve;
  /** Called when a line was written, before its connection is dialled. */
  readonly onLine?: (connection: EgressConnection) => void;
  readonly recordEveryMs?: number;
  readonly rules?: () => readonly ApprovalRule[];
  /** What the policy of the computer forbids. */
  readonly limits?: HostLimits;
  /** Of this computer; its real ones unless given. */
  readonly ownAddresses?: readonly string[];
}

const ownInterface = (address: string): NetworkInterfaceInfo => ({
  ...{ address, netmask: '', mac: '', internal: false, cidr: null },
  ...(address.includes(':') ? { family: 'IPv6', scopeid: 0 } : { family: 'IPv4' }),
});

/** The real broker over a memory store, with names of our own instead of a name server. */
export function testEgress(options: TestEgressOptions = {}) {
  const { settings, names = {}, resolve, onLine, recordEveryMs, ownAddresses, limits } = options;
  const store = memoryEgressStore();
  const asked: string[] = [];
  const broker = new EgressBroker({
    store,
    clock: systemClock,
    logger: silentLogger,
    ...(limits === undefined ? {} : { limits }),
    ...(onLine === undefined ? {} : { onConnection: onLine }),
    ...(recordEveryMs === undefined ? {} : { recordEveryMs }),
    ...(ownAddresses === undefined
      ? {}
      : { interfaces: () => ({ own: ownAddresses.map(ownInterface) }) }),
    resolve:
      resolve ??
      (async (host) => {
        asked.push(host);
        return /^[\d.]+$|:/.test(host) ? [host] : (names[host] ?? []);
      }),
  });
  const current = settings ?? { current: Settings.parse({}) };
  return {
    store,
    broker,
    asked,
    settings: current,
    egress: new AppEgress({
      broker,
      settings: () => current.current,
      rules: options.rules ?? (() => []),
    }),
  };
}
