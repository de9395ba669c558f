import { isAbsolute, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ConnectorConfig, ConnectorDraft } from '#contract/connectors.ts';
import type { EgressActor } from '#contract/egress.ts';
import type { RunOptions } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { AllowedConnector, PolicyDocument } from '#contract/policy.ts';
import type { RequestInput } from '#contract/requests.ts';
import type { Settings } from '#contract/settings.ts';
import type { SkillSource } from '#contract/skills.ts';
import type { PolicyLevel, SandboxKind } from '#contract/vocabulary.ts';
import { sameAddress } from '../base/special-purpose.ts';
import { coversTarget, type HostPattern, parseHostPattern } from '../egress/host-pattern.ts';
import { type EgressTarget, shownTarget } from '../egress/target.ts';
import type { HostLimits } from '../egress/types.ts';
import type { ManagedSettings } from '../storage/types.ts';
import type { Policy, PolicyState } from './types.ts';

/** Run options that are settings too: what is locked there holds for each run. */
const RUN_SETTINGS = ['model', 'sandbox', 'network', 'executionMode', 'approve'] as const;

/**
 * What the policy of this computer forbids. Each question is answered with the reason for the user, or null where
 * nothing is against it.
 */
export class PolicyLimits {
  readonly hosts: HostLimits;
  readonly settings: ManagedSettings;
  readonly #policy: Policy | null;
  readonly #isInvalid: boolean;

  constructor(state: PolicyState) {
    const policy = state.state === 'holds' ? state.policy : null;
    this.#policy = policy;
    this.#isInvalid = state.state === 'invalid';
    this.hosts = new PolicyHosts(this.#document, (what) => this.#reason(what));
    this.settings = {
      locked: policy?.locked ?? {},
      defaults: policy?.defaults ?? {},
      refusal: (name) => this.#refusal(`The setting "${name}" cannot be changed`),
    };
  }

  /** Throws `MANAGED` for a setting that is locked, before work whose result would change it. */
  readonly checkUnlocked = (name: keyof Settings): void => {
    if (Object.hasOwn(this.settings.locked, name)) throw this.settings.refusal(name);
  };

  /** The environment, without what would stand for a locked setting. */
  environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    if (this.settings.locked.ollamaUrl === undefined) return env;
    const { OLLAMA_HOST: _, ...others } = env;
    return others;
  }

  /** Throws `MANAGED` where a flag may not name another model server. */
  checkModelAddress(): void {
    const { ollamaUrl, servers, model } = this.settings.locked;
    if (ollamaUrl === undefined && servers === undefined && model === undefined) return;
    throw this.#refusal('Another address of a model server cannot be given');
  }

  sandbox(kind: SandboxKind): string | null {
    const { sandboxes } = this.#document;
    if (sandboxes === undefined || sandboxes.includes(kind)) return null;
    return this.#reason('This sandbox cannot be used');
  }

  skill(skill: {
    readonly id: string;
    readonly source: SkillSource;
    readonly isShipped: boolean;
  }): string | null {
    const { skills } = this.#document;
    const isForeign = skill.source !== 'builtin' && !skill.isShipped;
    if (skills?.block.includes(skill.id) === true) return this.#reason('This skill cannot be used');
    if (skills?.from !== 'shipped' || !isForeign) return null;
    return this.#reason('Only skills that come with the app can be used');
  }

  connector(config: ConnectorConfig | ConnectorDraft): string | null {
    const allowed = this.#document.connectors?.allow;
    if (allowed === undefined || allowed.some((one) => isSameConnector(one, config))) return null;
    return this.#reason('This connector cannot be used');
  }

  /** Throws `MANAGED` where a run asks for something else than what is locked. */
  checkRunOptions(asked: RequestInput<'runs.start'>['options']): void {
    const { locked } = this.settings;
    for (const name of RUN_SETTINGS) {
      const [wanted, held] = [asked[name], locked[name]];
      if (wanted == null || held == null || isDeepStrictEqual(wanted, held)) continue;
      throw this.#refusal(`A task cannot have another ${LABELS[name]}`);
    }
    if (locked.egressHosts !== undefined && (asked.allowHosts ?? []).length > 0) {
      throw this.#refusal('A task cannot have allowed hosts of its own');
    }
  }

  /** The options that a run has: what is locked holds for one that was started before, and for its copies, too. */
  held(options: RunOptions): RunOptions {
    const { locked } = this.settings;
    const held = RUN_SETTINGS.filter((name) => locked[name] != null).map(
      (name) => [name, locked[name]] as const,
    );
    const allowHosts = locked.egressHosts === undefined ? options.allowHosts : [];
    return { ...options, ...Object.fromEntries(held), allowHosts };
  }

  /** The approval level of a task with this one of its own; null leaves it to the settings. */
  level(own: PolicyLevel | null | undefined): PolicyLevel | null {
    return this.settings.locked.policyLevel === undefined ? (own ?? null) : null;
  }

  /** Throws `MANAGED` where a task may not have this level of its own. */
  checkLevel(level: PolicyLevel | null | undefined): void {
    const held = this.settings.locked.policyLevel;
    if (held === undefined || level == null || level === held) return;
    throw this.#refusal('A task cannot have an approval level of its own');
  }

  /** Of an invalid policy: it could forbid anything. */
  get #document(): Partial<PolicyDocument> {
    if (this.#isInvalid) return NOTHING;
    return this.#policy?.document ?? {};
  }

  #reason(what: string): string {
    if (this.#isInvalid) return `${what}: the policy of this computer is invalid.`;
    const { organization, contact } = this.#document;
    const who = organization === undefined ? 'of this computer' : `of ${organization}`;
    return `${what}: the policy ${who} says so.${contact === undefined ? '' : ` Contact: ${contact}`}`;
  }

  #refusal(what: string): AppError {
    return new AppError('MANAGED', this.#reason(what));
  }
}

/** Allows nothing. */
const NOTHING: Partial<PolicyDocument> = {
  hosts: { allow: [], deny: [] },
  modelHosts: [],
  sandboxes: [],
  skills: { from: 'shipped', block: [] },
  connectors: { allow: [] },
};

const LABELS: Readonly<Record<(typeof RUN_SETTINGS)[number], string>> = {
  model: 'model',
  sandbox: 'sandbox',
  network: 'network access',
  executionMode: 'execution mode',
  approve: 'approval',
};

/** The hosts of a policy, for every connection of the app. */
class PolicyHosts implements HostLimits {
  readonly denied: readonly HostPattern[];
  readonly #allowed: readonly HostPattern[] | null;
  readonly #forModels: readonly HostPattern[] | null;
  readonly #reason: (what: string) => string;

  constructor({ hosts, modelHosts }: Partial<PolicyDocument>, reason: (what: string) => string) {
    this.denied = (hosts?.deny ?? []).map(parseHostPattern);
    this.#allowed = hosts?.allow?.map(parseHostPattern) ?? null;
    this.#forModels = modelHosts?.map(parseHostPattern) ?? null;
    this.#reason = reason;
  }

  refuses(target: EgressTarget, actor: EgressActor): string | null {
    const isAmong = (hosts: readonly HostPattern[]): boolean =>
      hosts.some((pattern) => coversTarget(pattern, target));
    const shown = shownTarget(target);
    if (isAmong(this.denied)) return this.#reason(`${shown} cannot be contacted`);
    // All names of this computer are one: nothing is looked up for them.
    const isHere = isThisComputer(target);
    if (isHere && this.denied.some((one) => isThisComputer(one) && coversPort(one, target))) {
      return this.#reason(`${shown} cannot be contacted`);
    }
    if (actor === 'model' && this.#forModels !== null) {
      return isAmong(this.#forModels) ? null : this.#reason(`Models at ${shown} cannot be used`);
    }
    if (this.#allowed === null || isAmong(this.#allowed)) return null;
    // A model on this computer sends nothing anywhere.
    if (actor === 'model' && isHere) return null;
    return this.#reason(`${shown} cannot be contacted`);
  }
}

function isThisComputer({ host }: Pick<EgressTarget, 'host'>): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(sameAddress(host));
}

function coversPort({ ports }: HostPattern, { port }: EgressTarget): boolean {
  return ports === null || ports.includes(port);
}

function isWithin(folder: string, path: string): boolean {
  const away = relative(folder, path);
  return away === '' || (!away.startsWith('..') && !isAbsolute(away));
}

/**
 * A program is the same with the same words, and nothing more than is allowed opened to it: a variable can make it run
 * something else. A server is the same at the same address.
 */
function isSameConnector(
  allowed: AllowedConnector,
  config: ConnectorConfig | ConnectorDraft,
): boolean {
  if (config.kind === 'remote') {
    return 'url' in allowed && URL.parse(allowed.url)?.href === URL.parse(config.url.trim())?.href;
  }
  if (!('command' in allowed)) return false;
  const names = Array.isArray(config.env)
    ? config.env.map(({ name }) => name)
    : Object.keys(config.env);
  return (
    isDeepStrictEqual([allowed.command, ...allowed.args], [config.command, ...config.args]) &&
    names.every((name) => allowed.env.includes(name)) &&
    config.hosts.every((host) => allowed.hosts.includes(host.trim())) &&
    config.folders.every(({ path }) => allowed.folders.some((folder) => isWithin(folder, path)))
  );
}
