import type { Duplex } from 'node:stream';
import type { EgressActor } from '#contract/egress.ts';
import type { ApprovalRule, Settings } from '#contract/entities.ts';
import type { NetworkPolicy, RuleDecision } from '#contract/vocabulary.ts';
import type { EgressBroker } from './egress-broker.ts';
import { type HostPattern, parseHostPattern } from './host-pattern.ts';
import { type EgressTarget, shownTarget, targetOfUrl } from './target.ts';
import type { EgressCaller, EgressClient, EgressRules } from './types.ts';

/** What a run may reach, as it was fixed when it started. */
export interface RunNetwork {
  readonly runId: string;
  readonly threadId: string;
  readonly network: NetworkPolicy;
  readonly allowHosts: readonly string[];
  /** What becomes of `open` once other people's words are in the task; nothing unless given. */
  readonly narrowing?: Narrowing;
}

/**
 * Other people's words must not choose where a run goes. From the first of them on, `open` is a list for it:
 * the hosts of the settings and of the run, those that the user named in their own words or in a rule, for
 * programs those that the program itself names; and pages at exactly the addresses that a search gave.
 */
export interface Narrowing {
  readonly isOn: () => boolean;
  /** Named by the user in their own words in this task. */
  readonly named: readonly EgressTarget[];
}

/** The way out of one run, for each of those who work for it. */
export interface RunEgress extends Disposable {
  readonly runId: string;
  /** The stricter of what the app and the run allow, at the moment. */
  readonly policy: NetworkPolicy;
  /** Whether `open` is a list now, because of other people's words. */
  readonly isNarrowed: boolean;
  /** All that was given to say what its programs may reach, before that is narrowed, as text to compare. */
  readonly rulesText: string;
  /** Whether `target` is let out without asking anybody, as far as that is known before its name is. */
  lets(target: EgressTarget): boolean;
  /** The same of a page at this very address: of a narrowed run also where a search gave it. */
  letsPage(url: URL): boolean;
  /** Addresses of pages as a search gave them: nothing that the run knows stands in them; the choice among them tells a little. */
  noteFound(addresses: readonly string[]): void;
  /** Hosts that stand in the bytes of a program that was cleared. */
  noteNamedByProgram(targets: readonly EgressTarget[]): void;
  /**
   * The egress client for one page that was cleared, or that `letsPage` lets out. A redirect to a host that is on no
   * list is a call of its own, except of an address that a search gave to a run that is open.
   */
  pageClient(url: URL): EgressClient;
  /**
   * Lets pages of `targets` be read until the run ends: the person said yes to them. For fetching alone;
   * what is not on the public internet stays out of reach.
   */
  grant(targets: readonly EgressTarget[]): void;
  /**
   * an egress client for `actor`; `hosts` were named by the person for this egress client alone. With `byUser` they did
   * that in the settings, by their addresses, so those may be of their own network.
   */
  client(
    actor: EgressActor,
    hosts?: readonly EgressTarget[],
    options?: { readonly byUser: boolean },
  ): EgressClient;
}

export interface AppEgressParts {
  readonly broker: EgressBroker;
  readonly settings: () => Settings;
  /** Rules of the user; what they say of hosts holds for every way out of a run. */
  readonly rules: () => readonly ApprovalRule[];
}

/** Gives each part of the app its egress client, with the rules of the settings as they are at the moment. */
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
   * The egress client of what belongs to no run. `hosts` were named for it; where the person did that by an
   * address of their own network, it is let through too.
   */
  appClient(
    actor: EgressActor,
    hosts: readonly EgressTarget[],
    { byUser }: { readonly byUser: boolean },
  ): EgressClient {
    const named = hosts.map(patternOf);
    return this.#clientOf({
      actor,
      runId: null,
      rules: () => [this.#rules()],
      granted: () => named,
      denied: () => [],
      asked: () => [],
      privateHosts: () => [...this.#privateHosts(), ...(byUser ? named : [])],
    });
  }

  /** The way out of a run; disposing it ends every connection that the run has open. */
  forRun({ runId, threadId, network, allowHosts, narrowing }: RunNetwork): RunEgress {
    const ruled = (wanted: RuleDecision): readonly HostPattern[] =>
      this.#approvalRules().flatMap((rule) => {
        const isOurs = rule.threadId === null || rule.threadId === threadId;
        return isOurs && rule.decision === wanted ? hostsOfRule(rule) : [];
      });
    const own = allowHosts.map(parseHostPattern);
    const [found, ofPrograms] = [new Set<string>(), new Map<string, HostPattern>()];
    const ofUser = (): readonly HostPattern[] => [
      ...(narrowing?.named ?? []).map(patternOf),
      // A yes to a host is none to the own network.
      ...ruled('approve').map((pattern) => ({ ...pattern, isPrivateAddress: false })),
    ];
    // What a search asks is set by the user and by us, whatever the task holds.
    const isNarrowed = (actor: EgressActor): boolean =>
      network === 'open' && actor !== 'search' && narrowing?.isOn() === true;
    // What the person lets every program reach is on the list of every run that has one.
    const listed = (): readonly HostPattern[] => [...own, ...this.#listedHosts()];
    const asGiven = (): readonly EgressRules[] => [
      this.#rules(),
      { policy: network, hosts: listed() },
    ];
    const rulesFor = (actor: EgressActor): readonly EgressRules[] => {
      if (!isNarrowed(actor)) return asGiven();
      const programs = actor === 'sandbox' ? [...ofPrograms.values()] : [];
      const hosts = [...listed(), ...ofUser(), ...programs];
      return [this.#rules(), { policy: 'allowlist', isNarrowed: true, hosts }];
    };
    const readable = new Map<string, HostPattern>();
    const callerFor = (
      actor: EgressActor,
      hosts: readonly EgressTarget[],
      { byUser = false, rules = () => rulesFor(actor) }: CallerOptions = {},
    ): EgressCaller => {
      const named = hosts.map(patternOf);
      const granted = (): readonly HostPattern[] =>
        actor === 'fetch' ? [...named, ...readable.values()] : named;
      const ofUser = byUser ? named : [];
      const privateHosts = (): readonly HostPattern[] => [...this.#privateHosts(), ...ofUser];
      const denied = (): readonly HostPattern[] => ruled('deny');
      const asked = (): readonly HostPattern[] => (actor === 'fetch' ? ruled('ask') : []);
      return { actor, runId, rules, granted, denied, asked, privateHosts };
    };
    const pageCaller = (url: URL, hosts: readonly EgressTarget[]): EgressCaller =>
      callerFor('fetch', hosts, found.has(keyOf(url)) ? { rules: asGiven } : {});
    return {
      runId,
      get policy() {
        return strictest(rulesFor('fetch'));
      },
      get isNarrowed() {
        return isNarrowed('fetch');
      },
      lets: (target) => this.broker.lets(target, callerFor('fetch', [])),
      letsPage: (url) => this.broker.lets(targetOfUrl(url), pageCaller(url, [])),
      noteFound: (addresses) => {
        for (const address of addresses) {
          const url = URL.parse(address);
          if (url !== null) found.add(keyOf(url));
        }
      },
      noteNamedByProgram: (targets) => {
        for (const target of targets) ofPrograms.set(shownTarget(target), patternOf(target));
      },
      get rulesText() {
        const { denied, privateHosts } = callerFor('sandbox', []);
        return JSON.stringify([asGiven(), denied(), privateHosts()]);
      },
      grant: (targets) => {
        for (const target of targets) readable.set(shownTarget(target), readablePattern(target));
      },
      client: (actor, hosts = [], options) => this.#clientOf(callerFor(actor, hosts, options)),
      pageClient: (url) => this.#clientOf(pageCaller(url, [targetOfUrl(url)])),
      [Symbol.dispose]: () => this.broker.closeAll((caller) => caller.runId === runId),
    };
  }

  #clientOf(caller: EgressCaller): EgressClient {
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

/** What of an address is sent. */
function keyOf({ href }: URL): string {
  const url = new URL(href);
  url.username = '';
  url.password = '';
  url.hash = '';
  return url.href;
}

interface CallerOptions {
  readonly byUser?: boolean;
  readonly rules?: () => readonly EgressRules[];
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
