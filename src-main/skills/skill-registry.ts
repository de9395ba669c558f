import { AppError } from '#contract/errors.ts';
import type { SkillCategory, SkillSource, SkillSummary } from '#contract/skills.ts';
import { TOOL_NAMES } from '#contract/tools.ts';
import type { RiskLevel } from '#contract/vocabulary.ts';
import { plain } from '../guardrails/normalise.ts';
import type { SkillDefinition, SkillStore } from '../storage/skill-types.ts';
import { identityOf, type ListedSkill, type SkillCatalogue } from './catalogue-types.ts';
import { skillRisk } from './skill-risk.ts';
import type { Skill } from './types.ts';

/** Names of earlier agents, and the skills that replace them. */
export const SKILL_ALIASES: Readonly<Record<string, string>> = {
  research: 'deep_research',
  data: 'data_analysis',
  image: 'image_generation',
  writing: 'simple_writing',
  code: 'code_generation',
  app: 'app_builder',
  slide: 'slide_generation',
};

export interface SkillRegistryParts {
  readonly store: SkillStore;
  /** In order of precedence: the first catalogue with an id wins. */
  readonly catalogues: readonly SkillCatalogue[];
  readonly toolRisk: (name: string) => RiskLevel;
  /** Why the policy of this computer forbids a skill; null if it does not. */
  readonly forbids?: (skill: PolicedSkill) => string | null;
  /** Called when a skill was used and its counter has changed. */
  readonly onUse?: () => void;
}

/** What a policy knows skills by. */
interface PolicedSkill {
  readonly id: string;
  readonly source: SkillSource;
  readonly isShipped: boolean;
}

interface Entry {
  readonly catalogue: SkillCatalogue;
  readonly skill: ListedSkill;
}

/** Every skill, from all catalogues. */
export class SkillRegistry {
  readonly #parts: SkillRegistryParts;
  #entries: ReadonlyMap<string, Entry> | null = null;
  #definitions: ReadonlyMap<string, SkillDefinition> | null = null;
  #revision = 0;

  constructor(parts: SkillRegistryParts) {
    this.#parts = parts;
  }

  /** Writes the metadata of builtin skills into the database; enabled, counters and sources stay. */
  syncBuiltins(): void {
    const builtin = this.#parts.catalogues.filter(({ source }) => source === 'builtin');
    this.#parts.store.syncBuiltins(
      builtin
        .flatMap((catalogue) => catalogue.list())
        .map((skill) => ({
          ...identityOf(skill),
          metadataJson: JSON.stringify(skill.metadata),
        })),
    );
    this.#definitions = null;
  }

  /** Changes whenever the list may have changed. */
  get revision(): number {
    return this.#revision;
  }

  /** Drops what is cached of the catalogues and the database. */
  changed(): void {
    this.#revision += 1;
    this.#entries = null;
    this.#definitions = null;
  }

  /** Sorted by id; every word of `search` must occur in the id, name, description or tags. */
  list({
    category,
    search = '',
  }: {
    readonly category?: SkillCategory | undefined;
    readonly search?: string | undefined;
  } = {}): SkillSummary[] {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return [...this.#all().values()]
      .filter(({ skill }) => category === undefined || skill.category === category)
      .filter(({ skill: { id, name, description, tags } }) => {
        const text = [id, name, description, ...tags].join('\n').toLowerCase();
        return words.every((word) => text.includes(word));
      })
      .map((entry) => this.#summary(entry))
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** Skills that the model may use now. */
  ready(): SkillSummary[] {
    return this.list().filter(({ state }) => state === 'ready');
  }

  /** Whether a known skill may be used now. */
  isReady(id: string): boolean {
    const entry = this.#all().get(id);
    return entry !== undefined && this.#summary(entry).state === 'ready';
  }

  /** Throws `SKILL_UNKNOWN`, and `MANAGED` for a skill that the policy of this computer forbids. */
  checkAllowed(name: string): void {
    this.#checkAllowed(this.#entry(name));
  }

  /** The id behind a name: an id, an alias, or an id in another spelling. */
  resolve(name: string): string {
    const id = name.trim().toLowerCase();
    const entries = this.#all();
    for (const candidate of [id, id.replaceAll(/[\s-]+/g, '_'), id.replaceAll(/[\s_]+/g, '-')]) {
      if (entries.has(candidate)) return candidate;
    }
    return SKILL_ALIASES[id.replace(/[_ -]agent$/, '')] ?? id;
  }

  find(name: string): ListedSkill | null {
    return this.#all().get(this.resolve(name))?.skill ?? null;
  }

  summary(name: string): SkillSummary {
    return this.#summary(this.#entry(name));
  }

  source(name: string): SkillSource {
    return this.#entry(name).catalogue.source;
  }

  /** The risk of invoking a skill; high for an unknown one. */
  risk(name: string): RiskLevel {
    const entry = this.#all().get(this.resolve(name));
    return entry === undefined ? 'high' : this.#riskOf(entry);
  }

  /** Whether a skill can change nothing that another one could see: it only asks models, searches and reads pages. */
  isIndependent(name: string): boolean {
    const metadata = this.find(name)?.metadata ?? null;
    if (metadata === null) return false;
    const { capabilities, requiredTools } = metadata;
    return (
      capabilities.every((one) => one !== 'sandbox' && one !== 'invokeSkill') &&
      requiredTools.every((tool) => tool === 'web_search' || tool === 'fetch_page')
    );
  }

  /** A skill that is ready to run. Throws `SKILL_UNKNOWN`, `SKILL_DISABLED`, and what its catalogue throws. */
  async load(name: string): Promise<Skill> {
    const { catalogue, skill } = this.#enabledEntry(name);
    return await catalogue.load(skill.id);
  }

  /** The id of a Markdown skill. Throws `SKILL_UNKNOWN`, `SKILL_DISABLED`, `BAD_REQUEST` for another kind. */
  markdownId(name: string): string {
    const { catalogue, skill } = this.#enabledEntry(name);
    if (catalogue.source === 'markdown') return skill.id;
    throw new AppError(
      'BAD_REQUEST',
      `${skill.id} is not a Markdown skill. Run it with invoke_skill {"skill_id": ${JSON.stringify(skill.id)}}.`,
    );
  }

  #enabledEntry(name: string): Entry {
    const entry = this.#entry(name);
    const { id } = entry.skill;
    this.#checkAllowed(entry);
    if (!this.#isEnabled(entry)) {
      throw new AppError(
        'SKILL_DISABLED',
        `The skill ${id} is switched off. Switch it on again on the Skills page, or use another skill.`,
        { details: { skill: id } },
      );
    }
    return entry;
  }

  /** Throws `MANAGED` for one that the policy forbids. */
  setEnabled(name: string, enabled: boolean): SkillSummary {
    const entry = this.#entry(name);
    if (enabled) this.#checkAllowed(entry);
    const { skill } = entry;
    this.#putFirst(skill);
    this.#parts.store.setEnabled(skill.id, enabled);
    this.#revision += 1;
    this.#definitions = null;
    return this.summary(skill.id);
  }

  noteInvocation(id: string, at: number): void {
    const known = this.#all().get(id);
    if (known === undefined) return;
    this.#putFirst(known.skill);
    this.#parts.store.noteInvocation(id, at);
    this.#definitions = null;
    this.#parts.onUse?.();
  }

  /** Creates the row of a Markdown skill, which it gets once there is something to store. */
  #putFirst(skill: ListedSkill): void {
    if (skill.folder === null || this.#stored().has(skill.id)) return;
    this.#parts.store.putMarkdown({ ...identityOf(skill), metadataJson: '{}' }, skill.folder);
    this.#definitions = null;
  }

  #entry(name: string): Entry {
    const entry = this.#all().get(this.resolve(name));
    if (entry !== undefined) return entry;
    const near = this.list({ search: name.slice(0, 20) }).map(({ id }) => id);
    const hint = near.length > 0 ? ` Did you mean ${near.slice(0, 3).join(', ')}?` : '';
    throw new AppError(
      'SKILL_UNKNOWN',
      `There is no skill ${JSON.stringify(name.slice(0, 100))}.${hint} list_skills names them all.`,
    );
  }

  #summary(entry: Entry): SkillSummary {
    const { skill, catalogue } = entry;
    const stored = this.#stored().get(skill.id);
    return {
      ...identityOf(skill),
      author: shownAuthor(skill, catalogue.source),
      folder: skill.folder,
      problem: this.#forbidden(entry) ?? skill.problem,
      ...(skill.isShipped === true ? { isShipped: true as const } : {}),
      tags: [...skill.tags],
      source: catalogue.source,
      risk: this.#riskOf(entry),
      state: this.#isEnabled(entry) || skill.state !== 'ready' ? skill.state : 'disabled',
      invocationCount: stored?.invocationCount ?? 0,
      lastInvokedAt: stored?.lastInvokedAt ?? null,
    };
  }

  #riskOf({ skill, catalogue }: Entry): RiskLevel {
    const { toolRisk } = this.#parts;
    if (skill.metadata !== null) return skillRisk(skill.metadata, catalogue.source, toolRisk);
    // The agent makes its calls, each with its own approval; without `allowed-tools` it may call any tool.
    const tools = { capabilities: [], requiredTools: [...(skill.allowedTools ?? TOOL_NAMES)] };
    return skillRisk({ ...tools, riskLevel: null }, catalogue.source, toolRisk);
  }

  #isEnabled(entry: Entry): boolean {
    const { skill } = entry;
    const stored = this.#stored().get(skill.id);
    if (this.#forbidden(entry) !== null) return false;
    return (stored?.enabled ?? true) && (skill.metadata?.enabled ?? true);
  }

  #forbidden({ skill, catalogue: { source } }: Entry): string | null {
    const { id, isShipped = false } = skill;
    return this.#parts.forbids?.({ id, source, isShipped }) ?? null;
  }

  #checkAllowed(entry: Entry): void {
    const why = this.#forbidden(entry);
    if (why !== null) throw new AppError('MANAGED', why, { details: { skill: entry.skill.id } });
  }

  #all(): ReadonlyMap<string, Entry> {
    if (this.#entries === null) {
      const entries = new Map<string, Entry>();
      for (const catalogue of this.#parts.catalogues) {
        for (const skill of catalogue.list()) {
          if (!entries.has(skill.id)) entries.set(skill.id, { catalogue, skill });
        }
      }
      this.#entries = entries;
    }
    return this.#entries;
  }

  #stored(): ReadonlyMap<string, SkillDefinition> {
    this.#definitions ??= new Map(this.#parts.store.definitions().map((one) => [one.id, one]));
    return this.#definitions;
  }
}

/** Only what comes with the app is by its makers: for anything else that name is a default, or a claim. */
function shownAuthor({ author, isShipped }: ListedSkill, source: SkillSource): string {
  if (source === 'builtin' || isShipped === true) return author;
  return plain(author)
    .replace(/[^\p{L}\p{N}]/gu, '')
    .includes('hyperagent')
    ? ''
    : author;
}
