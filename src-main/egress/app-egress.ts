import type { Duplex } from 'node:stream';
import { DOWNLOAD_HOSTS, type EgressActor } from '#contract/egress.ts';
import type { ApprovalRule } from '#contract/entities.ts';
import type { Settings } from '#contract/settings.ts';
import type { NetworkPolicy, RuleDecision } from '#contract/vocabulary.ts';
import type { EgressBroker } from './egress-broker.ts';
import { type HostPattern, parseHostPattern } from './host-pattern.ts';
import { type EgressTarget, shownTarget, targetOfUrl } from './target.ts';
import type { EgressCaller, EgressClient, EgressRules } from './types.ts';

/** What a run may reach, as fixed when it started. */
export interface RunNetwork {
  readonly runId: string;
  readonly threadId: string;
  readonly network: NetworkPolicy;
  readonly allowHosts: readonly string[];
  /** How `open` is narrowed once the task holds other people's words; not at all if absent. */
  readonly narrowing?: Narrowing;
}

/**
 * Other people's words must not choose where a run goes. Once a task holds any, `open` becomes an allow list:
 * the hosts of the settings and of the run, those that the user named in their own words or in a rule, for
 * programs those that an approved program itself names; and pages at exactly the addresses that a search returned.
 * Where programs run unseen, they reach a listed host only once the user has seen one that names it, for what is
 * sent there looks the same as what is fetched.
 */
export interface Narrowing {
  readonly isOn: () => boolean;
  /** Whether programs run that the user has not seen: the approval level lets them. */
  readonly runsUnseen?: () => boolean;
  /** Named by the user in their own words in this task. */
  readonly named: readonly EgressTarget[];
}

/** The egress of one run: gives each of its actors an egress client. */
export interface RunEgress extends Disposable {
  readonly runId: string;
  /** The stricter of the app's and the run's current policy. */
  readonly policy: NetworkPolicy;
  /** Whether `open` is now an allow list, because the task holds other people's words. */
  readonly isNarrowed: boolean;
  /** Whether programs reach only what was named, for the same reason. */
  readonly areProgramsNarrowed: boolean;
  /** Everything that decides what its programs may reach, before narrowing, as text to compare. */
  readonly rulesText: string;
  /** Whether the policy allows `target` without asking; its name is not resolved for this. */
  allows(target: EgressTarget): boolean;
  /** The same for the page at exactly this address; a narrowed run may also read what a search returned. */
  allowsPage(url: URL): boolean;
  /** Addresses that a search returned. They reveal nothing about the run, except by the choice among them. */
  noteFound(addresses: readonly string[]): void;
  /** Whether programs would reach `target` once the user approved one that names it, but do not yet. */
  opensByApproval(target: EgressTarget): boolean;
  /** Hosts that an approved program names in its own text. */
  noteNamedByProgram(targets: readonly EgressTarget[]): void;
  /**
   * The egress client for one page that was cleared, or that `allowsPage` allows. A redirect to an unlisted host
   * needs a call of its own, except from an address that a search returned to a run that is open.
   */
  pageClient(url: URL): EgressClient;
  /**
   * Allows pages of `targets` until the run ends, because the user approved them. For fetching and for the browser;
   * private addresses stay out of reach.
   */
  grant(targets: readonly EgressTarget[]): void;
  /**
   * An egress client for `actor`. The user named `hosts` for this client only; with `byUser`, by address in the
   * settings, so they may be on a private network.
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
  /** The user's rules; those about hosts hold for all egress of a run. */
  readonly rules: () => readonly ApprovalRule[];
}

/** Gives each part of the app its egress client, under the current rules of the settings. */
export class AppEgress {
  readonly broker: EgressBroker;
  readonly #settings: () => Settings;
  readonly #approvalRules: () => readonly ApprovalRule[];
  #parsedFrom: Settings | null = null;
  #app: EgressRules = { policy: 'offline', hosts: [] };
  #listed: readonly HostPattern[] = [];
  #private: readonly HostPattern[] = [];

  constructor({ broker, settings, rules }: AppEgressParts) {
    this.broker = broker;
    this.#approvalRules = rules;
    this.#settings = settings;
  }

  /**
   * The egress client of what belongs to no run. `hosts` were named for it; with `byUser`, the user named them by
   * address, so private addresses are allowed.
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

  /**
   * The egress client of a connector: what the user named for it and nothing else, whatever else the app may reach.
   * With `byUser` it is the address of the server itself, which may be on a private network. Throws `BAD_REQUEST` for
   * what is no host.
   */
  connectorClient(
    hosts: readonly string[],
    { byUser }: { readonly byUser: boolean },
  ): EgressClient {
    const named = hosts.map(parseHostPattern);
    return this.#clientOf({
      ...{ actor: 'connector', runId: null },
      rules: () => [this.#rules(), { policy: 'allowlist', hosts: named }],
      granted: () => named,
      denied: () => [],
      asked: () => [],
      privateHosts: () => [
        ...this.#privateHosts(),
        ...named.filter(({ isPrivateAddress }) => byUser || isPrivateAddress),
      ],
    });
  }

  /** The egress of a run; disposing it ends every open connection of the run. */
  forRun({ runId, threadId, network, allowHosts, narrowing }: RunNetwork): RunEgress {
    const ruled = (wanted: RuleDecision): readonly HostPattern[] =>
      this.#approvalRules().flatMap((rule) => {
        const isOurs = rule.threadId === null || rule.threadId === threadId;
        return isOurs && rule.decision === wanted ? hostsOfRule(rule) : [];
      });
    const own = allowHosts.map(parseHostPattern);
    const [found, namedByPrograms] = [new Set<string>(), new Map<string, HostPattern>()];
    const ofUser = (): readonly HostPattern[] => [
      ...(narrowing?.named ?? []).map(patternOf),
      // Approving a host does not approve private addresses.
      ...ruled('approve').map((pattern) => ({ ...pattern, isPrivateAddress: false })),
    ];
    // Search requests go to hosts that the user and the app chose, whatever the task holds. What a page in the browser
    // loads, the page chooses: the model is narrowed where it chooses a page.
    const isNarrowed = (actor: EgressActor): boolean =>
      network === 'open' && !isChosenElsewhere(actor) && narrowing?.isOn() === true;
    // Hosts that the user allows in the settings are on every run's allow list.
    const listed = (): readonly HostPattern[] => [...own, ...this.#listedHosts()];
    const asGiven = (): readonly EgressRules[] => [
      this.#rules(),
      { policy: network, hosts: listed() },
    ];
    const runsUnseen = (): boolean =>
      network !== 'offline' && narrowing?.isOn() === true && narrowing.runsUnseen?.() === true;
    const rulesFor = (
      actor: EgressActor,
      named: readonly HostPattern[] = [],
    ): readonly EgressRules[] => {
      const isProgram = actor === 'sandbox';
      const programs = isProgram ? [...namedByPrograms.values(), ...named] : [];
      const narrowedTo = (hosts: readonly HostPattern[]): EgressRules => ({
        ...{ policy: 'allowlist', isNarrowed: true },
        hosts: [...hosts, ...ofUser(), ...programs],
      });
      const rules = isNarrowed(actor) ? [this.#rules(), narrowedTo(listed())] : asGiven();
      return isProgram && runsUnseen() ? [...rules, narrowedTo(DOWNLOADS)] : rules;
    };
    const readable = new Map<string, HostPattern>();
    const callerFor = (
      actor: EgressActor,
      hosts: readonly EgressTarget[],
      { byUser = false, rules = () => rulesFor(actor) }: CallerOptions = {},
    ): EgressCaller => {
      const named = hosts.map(patternOf);
      const granted = (): readonly HostPattern[] =>
        isForPages(actor) ? [...named, ...readable.values()] : named;
      const ofUser = byUser ? named : [];
      const privateHosts = (): readonly HostPattern[] => [...this.#privateHosts(), ...ofUser];
      const denied = (): readonly HostPattern[] => ruled('deny');
      const asked = (): readonly HostPattern[] => (isForPages(actor) ? ruled('ask') : []);
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
      get areProgramsNarrowed() {
        return isNarrowed('sandbox') || runsUnseen();
      },
      opensByApproval: (target) => {
        const rules = () => rulesFor('sandbox', [patternOf(target)]);
        return (
          !this.broker.allows(target, callerFor('sandbox', [])) &&
          this.broker.allows(target, callerFor('sandbox', [], { rules }))
        );
      },
      allows: (target) => this.broker.allows(target, callerFor('fetch', [])),
      allowsPage: (url) => this.broker.allows(targetOfUrl(url), pageCaller(url, [])),
      noteFound: (addresses) => {
        for (const address of addresses) {
          const url = URL.parse(address);
          if (url !== null) found.add(keyOf(url));
        }
      },
      noteNamedByProgram: (targets) => {
        for (const target of targets) namedByPrograms.set(shownTarget(target), patternOf(target));
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
      limitOn: (target) => this.broker.limitOn(target, caller.actor),
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
    if (settings === this.#parsedFrom) return;
    this.#parsedFrom = settings;
    this.#listed = settings.egressHosts.flatMap(parseKnown);
    this.#private = settings.egressPrivateHosts.flatMap(parseKnown);
    this.#app = { policy: settings.egress, hosts: this.#listed };
  }
}

/** What reads pages: a host that the user approved for one call is reached by all of these. */
const isForPages = (actor: EgressActor): boolean => actor === 'fetch' || actor === 'browser';
const isChosenElsewhere = (actor: EgressActor): boolean =>
  actor === 'search' || actor === 'browser';

/** Hosts of packages that take nothing in: others have a way to publish what is sent to them. */
const DOWNLOADS = DOWNLOAD_HOSTS.map((host) => parseHostPattern(host));

/** The part of an address that is sent. */
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

/** A pattern that an older version stored and this one rejects covers nothing. */
function parseKnown(text: string): HostPattern[] {
  try {
    return [parseHostPattern(text)];
  } catch {
    // The settings page shows the text as it is, and what is wrong with it.
    return [];
  }
}

const OPENS_PAGES: ReadonlySet<string> = new Set(['fetch_page', 'browser_navigate']);

/** The hosts of a rule about pages: a name, or its subdomains, on any port. */
function hostsOfRule({ toolName, match, pattern }: ApprovalRule): HostPattern[] {
  if (!OPENS_PAGES.has(toolName) || match !== 'host') return [];
  return parseKnown(pattern.includes(':') ? `[${pattern}]:*` : `${pattern}:*`);
}

function strictest(levels: readonly EgressRules[]): NetworkPolicy {
  const order: readonly NetworkPolicy[] = ['offline', 'allowlist', 'open'];
  return order.find((policy) => levels.some((level) => level.policy === policy)) ?? 'offline';
}

function patternOf({ host, port }: EgressTarget): HostPattern {
  return { host, isWildcard: false, ports: [port], isPrivateAddress: false };
}

/** Sites redirect between the two web ports. */
function readablePattern(target: EgressTarget): HostPattern {
  const pattern = patternOf(target);
  const isWeb = target.port === 80 || target.port === 443;
  return isWeb ? { ...pattern, ports: [80, 443] } : pattern;
}
