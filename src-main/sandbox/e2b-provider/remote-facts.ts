import { readFileSync } from 'node:fs';

/** Where the internet would answer, if there were a way to it. */
export interface PublicPlaces {
  /** Places that answer to a line of HTTP, or at least to a connection. */
  readonly tcp: readonly (readonly [host: string, port: number])[];
  /** Name servers. */
  readonly udp: readonly (readonly [host: string, port: number])[];
}

/**
 * Public name servers by their addresses. Unlike for a sandbox on this computer, an address that
 * nobody has would prove nothing: a firewall far away may take a connection only to drop it, so what
 * counts is whether an answer comes back.
 */
export const PUBLIC_PLACES: PublicPlaces = {
  tcp: [
    ['1.1.1.1', 80],
    ['8.8.8.8', 443],
  ],
  udp: [
    ['1.1.1.1', 53],
    ['8.8.8.8', 53],
  ],
};

/** What of the probes' targets another computer needs to be told: as little of this one as will do. */
export function remoteFacts(
  targets: Readonly<Record<string, unknown>>,
  publicPlaces: PublicPlaces,
): Record<string, unknown> {
  const first = (list: unknown): unknown[] => (Array.isArray(list) ? list.slice(0, 1) : []);
  return {
    nonce: targets.nonce,
    workspace: targets.workspace,
    scriptDir: targets.scriptDir,
    allowedEnvironment: targets.allowedEnvironment,
    tcpListeners: targets.tcpListeners,
    udpListeners: targets.udpListeners,
    victimPid: targets.victimPid,
    victimMarker: targets.victimMarker,
    abstractSockets: first(targets.abstractSockets),
    // Of all paths only these: the one of the canary, and the socket made for the probes.
    secrets: first(targets.secrets),
    hostSockets: first(targets.hostSockets),
    bootId: readBootId(),
    publicTcp: publicPlaces.tcp,
    publicUdp: publicPlaces.udp,
  };
}

/** Changes with every start of a kernel; empty where the system has none. */
function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
