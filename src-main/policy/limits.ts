import { isDeepStrictEqual } from 'node:util';
import type { ConnectorConfig, ConnectorDraft } from '#contract/connectors.ts';
import type { EgressActor } from '#contract/egress.ts';
import type { RunOptions } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { AllowedConnector, PolicyDocument } from '#contract/policy.ts';
import type { RequestInput } from '#contract/requests.ts';
import type { SkillSource } from '#contract/skills.ts';
import type { PolicyLevel, SandboxKind } from '#contract/vocabulary.ts';
import { coversTarget, type HostPattern, parseHostPattern } from '../egress/host-pattern.ts';
import { type EgressTarget, shownTarget } from '../egress/target.ts';
import type { HostLimits } from '../egress/types.ts';
import type { ManagedSettings } from '../storage/types.ts';
import type { Policy, PolicyState } from './types.ts';

/** Run options that are settings too: what is locked there holds for each run. */
const RUN_SETTINGS = ['model', 'sandbox', 'network', 'executionMode', 'approve'] as const;
/** What a run may have been started with before the policy was there; its model only decides who answers. */
const HELD_SETTINGS = ['sandbox', 'network', 'executionMode', 'approve'] as const;

/**
 * What the policy of this computer forbids. Each question is answered with the reason for the user, or null where
 * nothing is against it.
 */
export class PolicyLimits {
  readonly hosts: HostLimits;
  readonly settings: ManagedSettings;
  readonly #policy: Policy | null;

  constructor(state: PolicyState) {
    const policy = state.state === 'holds' ? state.policy : null;
    this.#policy = policy;
    this.hosts = new PolicyHosts(this.#document, (what) => this.#reason(what));
    this.settings = {
      locked: policy?.locked ?? {},
      defaults: policy?.defaults ?? {},
      refusal: (name) => this.#refusal(`The setting "${name}" cannot be changed`),
    };
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
  }

  /** The options that a run has: what is locked holds for one that was started before, too. */
  held(options: RunOptions): RunOptions {
    const { locked } = this.settings;
    const changed = HELD_SETTINGS.filter(
      (name) => locked[name] !== undefined && locked[name] !== options[name],
    );
    if (changed.length === 0) return options;
    return { ...options, ...Object.fromEntries(changed.map((name) => [name, locked[name]])) };
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

  get #document(): Partial<PolicyDocument> {
    return this.#policy?.document ?? {};
  }

  #reason(what: string): string {
    const { organization, contact } = this.#document;
    const who = organization === undefined ? 'of this computer' : `of ${organization}`;
    return `${what}: the policy ${who} says so.${contact === undefined ? '' : ` Contact: ${contact}`}`;
  }

  #refusal(what: string): AppError {
    return new AppError('MANAGED', this.#reason(what));
  }
}

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
    if (actor === 'model' && this.#forModels !== null) {
      return isAmong(this.#forModels) ? null : this.#reason(`Models at ${shown} cannot be used`);
    }
    if (this.#allowed === null || isAmong(this.#allowed)) return null;
    // A model on this computer sends nothing anywhere.
    if (actor === 'model' && isThisComputer(target)) return null;
    return this.#reason(`${shown} cannot be contacted`);
  }
}

function isThisComputer({ host }: EgressTarget): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** A program is the same with the same words; a server, at the same address. */
function isSameConnector(
  allowed: AllowedConnector,
  config: ConnectorConfig | ConnectorDraft,
): boolean {
  if (config.kind === 'remote') {
    return 'url' in allowed && URL.parse(allowed.url)?.href === URL.parse(config.url.trim())?.href;
  }
  if (!('command' in allowed)) return false;
  return isDeepStrictEqual([allowed.command, ...allowed.args], [config.command, ...config.args]);
}
