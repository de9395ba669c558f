import type { Duplex } from 'node:stream';
import type { EgressActor } from '#contract/egress.ts';
import type { ApprovalRule, Settings } from '#contract/entities.ts';
import type { NetworkPolicy, RuleDecision } from '#contract/vocabulary.ts';
import type { EgressBroker } from './egress-broker.ts';
import { type HostPattern, parseHostPattern } from './host-pattern.ts';
import { type EgressTarget, shownTarget } from './target.ts';
import type { EgressCaller, EgressDoor, EgressRules } from './types.ts';

/** What a run may reach, as it was fixed when it started. */
export interface RunNetwork {
  readonly runId: string;
  readonly threadId: string;
  readonly network: NetworkPolicy;
  readonly allowHosts: readonly string[];
}

/** The way out of one run, for each of those who work for it. */
export interface RunEgress extends Disposable {
  readonly runId: string;
  /** The stricter of what the app and the run allow, at the moment. */
  readonly policy: NetworkPolicy;
  /** Whether `target` is let out without asking anybody, as far as that is known before its name is. */
  lets(target: EgressTarget): boolean;
  /**
   * Lets pages of `targets` be read until the run ends: the person said yes to them. For fetching alone;
   * what is not on the public internet stays out of reach.
   */
  grant(targets: readonly EgressTarget[]): void;
  /**
   * A door for `actor`; `hosts` were named by the person for this door alone. With `byPerson` they did
   * that in the settings, by their addresses, so those may be of their own network.
   */
  door(
    actor: EgressActor,
    hosts?: readonly EgressTarget[],
    options?: { readonly byPerson: boolean },
  ): EgressDoor;
}

export interface AppEgressParts {
  readonly broker: EgressBroker;
  readonly settings: () => Settings;
  /** Rules of the user; what they say of hosts holds for every way out of a run. */
  readonly rules: () => readonly ApprovalRule[];
}

/** Gives each part of the app its door, with the rules of the settings as they are at the moment. */
export class AppEgress {
  readonly broker: EgressBroker;
  readonly #settings: () => Settings;
  readonly #approvalRules: () => readonly ApprovalRule[];
  #seen: Settings | null = null;
  #app: EgressRules = { policy: 'offline', hosts: [] };
  #listed: readonly HostPattern[] = [];
  #private: readonly HostPattern[] = [];

  constructor({ broker, settings, rules }: AppEgressParts) {
    this.broker = broker;
    this.#approvalRules = rules;
    this.#settings = settings;
  }

  /**
   * The door of what belongs to no run. `hosts` were named for it; where the person did that by an
   * address of their own network, it is let through too.
   */
  appDoor(
    actor: EgressActor,
    hosts: readonly EgressTarget[],
    { byPerson }: { readonly byPerson: boolean },
  ): EgressDoor {
    const named = hosts.map(patternOf);
    return this.#doorOf({
      actor,
      runId: null,
      rules: () => [this.#rules()],
      granted: () => named,
      denied: () => [],
      asked: () => [],
      privateHosts: () => [...this.#privateHosts(), ...(byPerson ? named : [])],
    });
  }

  /** The way out of a run; disposing it ends every connection that the run has open. */
  forRun({ runId, threadId, network, allowHosts }: RunNetwork): RunEgress {
    const ruled = (wanted: RuleDecision): readonly HostPattern[] =>
      this.#approvalRules().flatMap((rule) => {
        const isOurs = rule.threadId === null || rule.threadId === threadId;
        return isOurs && rule.decision === wanted ? hostsOfRule(rule) : [];
      });
    const own = allowHosts.map(parseHostPattern);
    // What the person lets every program reach is on the list of every run that has one.
    const rules = (): readonly EgressRules[] => [
      this.#rules(),
      { policy: network, hosts: [...own, ...this.#listedHosts()] },
    ];
    const readable = new Map<string, HostPattern>();
    const callerFor = (
      actor: EgressActor,
      hosts: readonly EgressTarget[],
      byPerson: boolean,
    ): EgressCaller => {
      const named = hosts.map(patternOf);
      const granted = (): readonly HostPattern[] =>
        actor === 'fetch' ? [...named, ...readable.values()] : named;
      const ofPerson = byPerson ? named : [];
      const privateHosts = (): readonly HostPattern[] => [...this.#privateHosts(), ...ofPerson];
      const denied = (): readonly HostPattern[] => ruled('deny');
      const asked = (): readonly HostPattern[] => (actor === 'fetch' ? ruled('ask') : []);
      return { actor, runId, rules, granted, denied, asked, privateHosts };
    };
    return {
      runId,
      get policy() {
        return strictest(rules());
      },
      lets: (target) => this.broker.lets(target, callerFor('fetch', [], false)),
      grant: (targets) => {
        for (const target of targets) readable.set(shownTarget(target), readablePattern(target));
      },
      door: (actor, hosts = [], { byPerson } = { byPerson: false }) =>
        this.#doorOf(callerFor(actor, hosts, byPerson)),
      [Symbol.dispose]: () => this.broker.closeAll((caller) => caller.runId === runId),
    };
  }

  #doorOf(caller: EgressCaller): EgressDoor {
    return {
      connect: (target, signal): Promise<Duplex> => this.broker.connect(target, caller, signal),
      refuse: (denied) => this.broker.refuse(denied, caller),
    };
  }

  #rules(): EgressRules {
    this.#read();
    return this.#app;
  }

  #listedHosts(): readonly HostPattern[] {
    this.#read();
    return this.#listed;
  }

  #privateHosts(): readonly HostPattern[] {
    this.#read();
    return this.#private;
  }

  /** Patterns are parsed once for each change of the settings. */
  #read(): void {
    const settings = this.#settings();
    if (settings === this.#seen) return;
    this.#seen = settings;
    this.#listed = settings.egressHosts.flatMap(parseKnown);
    this.#private = settings.egressPrivateHosts.flatMap(parseKnown);
    this.#app = { policy: settings.egress, hosts: this.#listed };
  }
}

/** What an older version stored and this one does not take covers nothing. */
function parseKnown(text: string): HostPattern[] {
  try {
    return [parseHostPattern(text)];
  } catch {
    // The settings page shows the text as it is, with what is wrong with it.
    return [];
  }
}

/** What a rule about pages says of hosts: a name, or what lies below it, on any port. */
function hostsOfRule({ toolName, match, pattern }: ApprovalRule): HostPattern[] {
  if (toolName !== 'fetch_page' || match !== 'host') return [];
  return parseKnown(pattern.includes(':') ? `[${pattern}]:*` : `${pattern}:*`);
}

function strictest(levels: readonly EgressRules[]): NetworkPolicy {
  const order: readonly NetworkPolicy[] = ['offline', 'allowlist', 'open'];
  return order.find((policy) => levels.some((level) => level.policy === policy)) ?? 'offline';
}

function patternOf({ host, port }: EgressTarget): HostPattern {
  return { host, isWildcard: false, ports: [port], isPrivateAddress: false };
}

/** Sites send their readers from one port of the web to the other. */
function readablePattern(target: EgressTarget): HostPattern {
  const pattern = patternOf(target);
  const isWeb = target.port === 80 || target.port === 443;
  return isWeb ? { ...pattern, ports: [80, 443] } : pattern;
}
