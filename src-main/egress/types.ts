import type { Duplex } from 'node:stream';
import type { EgressActor } from '#contract/egress.ts';
import type { NetworkPolicy } from '#contract/vocabulary.ts';
import type { EgressDenied } from './denied.ts';
import type { HostPattern } from './host-pattern.ts';
import type { EgressTarget } from './target.ts';

/** What one level (the app, a run) lets out. */
export interface EgressRules {
  readonly policy: NetworkPolicy;
  /** For `allowlist`: what may be reached. */
  readonly hosts: readonly HostPattern[];
  /** The list stands for `open`, because the task holds other people's words. */
  readonly isNarrowed?: boolean;
}

/** Who asks, and under which rules: those of the app first, then those of the run. All must agree. */
export interface EgressCaller {
  readonly actor: EgressActor;
  readonly runId: string | null;
  /** Read anew for each attempt, and for open connections when they change. */
  readonly rules: () => readonly EgressRules[];
  /** Hosts that the person named for this caller alone: an approved call, the address of a server. */
  readonly granted: () => readonly HostPattern[];
  /** Hosts that a rule of the user denies, under whatever name they are reached. */
  readonly denied: () => readonly HostPattern[];
  /** Hosts that a rule of the user says to ask about: only those that were granted are reached. */
  readonly asked: () => readonly HostPattern[];
  /** Hosts that may be reached although their address is not public. */
  readonly privateHosts: () => readonly HostPattern[];
}

/** The way out of one caller. */
export interface EgressClient {
  /** Throws `EgressDenied`, or the signal's reason. */
  connect(target: EgressTarget, signal: AbortSignal): Promise<Duplex>;
  /** Notes what was turned away before it could be asked for: a host that is none. */
  refuse(denied: EgressDenied): void;
}

/** Gives every address of a name. Throws as `dns.lookup` does. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;
