import { readFileSync } from 'node:fs';

/** Addresses that would answer if the internet were reachable. */
export interface PublicPlaces {
  /** Hosts that answer HTTP, or at least accept connections. */
  readonly tcp: readonly (readonly [host: string, port: number])[];
  /** Name servers. */
  readonly udp: readonly (readonly [host: string, port: number])[];
}

/**
 * Addresses of public name servers. Unlike for a local sandbox, an unassigned address would prove nothing:
 * a remote firewall may accept a connection and drop it, so only an answer counts.
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

/** The probe targets that another computer needs: it should learn as little as possible about this one. */
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
    // Only these paths: the canary file and the socket made for the probes.
    secrets: first(targets.secrets),
    hostSockets: first(targets.hostSockets),
    bootId: readBootId(),
    publicTcp: publicPlaces.tcp,
    publicUdp: publicPlaces.udp,
  };
}

/** Changes with every boot; empty if the system has none. */
function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
