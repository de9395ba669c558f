import type { Duplex } from 'node:stream';
import type { EgressActor } from '#contract/egress.ts';
import type { NetworkPolicy } from '#contract/vocabulary.ts';
import type { EgressDenied } from './denied.ts';
import type { HostPattern } from './host-pattern.ts';
import type { EgressTarget } from './target.ts';

/** What one level (the app, a run) allows. */
export interface EgressRules {
  readonly policy: NetworkPolicy;
  /** For `allowlist`: what may be reached. */
  readonly hosts: readonly HostPattern[];
  /** The list replaces `open`, because the task holds other people's words. */
  readonly isNarrowed?: boolean;
}

/** The caller and its rules: first those of the app, then those of the run. All must allow the target. */
export interface EgressCaller {
  readonly actor: EgressActor;
  readonly runId: string | null;
  /** Read again for each attempt, and for open connections when the rules change. */
  readonly rules: () => readonly EgressRules[];
  /** Hosts that the user named for this caller only: an approved call, the address of a server. */
  readonly granted: () => readonly HostPattern[];
  /** Hosts that a rule of the user denies, under any name. */
  readonly denied: () => readonly HostPattern[];
  /** Hosts that a rule of the user says to ask about: reached only if granted. */
  readonly asked: () => readonly HostPattern[];
  /** Hosts that may be reached even on a private address. */
  readonly privateHosts: () => readonly HostPattern[];
}

/** What the policy of this computer forbids, whatever the user or a run allows. */
export interface HostLimits {
  /** Never reached, under any name. */
  readonly denied: readonly HostPattern[];
  /** Why `actor` may not reach `target`; null if it may. */
  refuses(target: EgressTarget, actor: EgressActor): string | null;
}

/** The egress of one caller. */
export interface EgressClient {
  /** Throws `EgressDenied`, or the signal's reason. */
  connect(target: EgressTarget, signal: AbortSignal): Promise<Duplex>;
  /** Records a request refused before it reached the broker, such as an invalid host. */
  refuse(denied: EgressDenied): void;
  /** Why the policy of this computer forbids `target`; null if it does not. For what connects by itself. */
  limitOn?(target: EgressTarget): string | null;
}

/** Resolves a name to all its addresses. Throws as `dns.lookup` does. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;
