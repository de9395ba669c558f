import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import {
  SkillCapability,
  type SkillDetail,
  SkillLanguage,
  SkillMetadata,
  type SkillReview,
  type SkillVersion,
} from '#contract/skills.ts';
import { canonicalJson } from '../../base/canonical-json.ts';
import type {
  NewestSkillVersion,
  SkillDefinition,
  SkillStore,
  StoredSkillVersion,
} from '../../storage/skill-types.ts';
import { type DynamicSkills, identityOf, type ListedSkill } from '../catalogue-types.ts';
import { toolSkill } from '../tool-skill.ts';
import type { Skill } from '../types.ts';
import { finding, hiddenIn } from './finding.ts';
import { GUEST_LIMITS, type GuestLimits } from './limits.ts';
import { reviewOf } from './review.ts';
import { runGuest } from './run-guest.ts';
import { type CompiledSource, NO_METADATA, SkillCompiler } from './skill-compiler.ts';
import { readSkillFile, writeSkillFile } from './skill-file.ts';
import type { SkillThreads } from './skill-threads.ts';
import { sourceHash } from './source-hash.ts';
import { readTemplates } from './templates.ts';

export interface DynamicCatalogueParts {
  readonly store: SkillStore;
  readonly threads: SkillThreads;
  /** The app's folder. */
  readonly root: string;
  /** Whether a skill of another kind has this id. */
  readonly isTaken: (id: string) => boolean;
  readonly limits?: Partial<GuestLimits>;
}

/** Skills whose source is in the database. No thread starts before one is checked or run. */
export class DynamicCatalogue implements DynamicSkills {
  readonly source = 'dynamic';
  readonly #parts: DynamicCatalogueParts;
  readonly #compiler: SkillCompiler;
  readonly #limits: GuestLimits;

  constructor(parts: DynamicCatalogueParts) {
    this.#parts = parts;
    this.#compiler = new SkillCompiler(parts.threads);
    this.#limits = { ...GUEST_LIMITS, ...parts.limits };
  }

  /** From the stored metadata; no source is read. */
  list(): readonly ListedSkill[] {
    const { store } = this.#parts;
    const newest = new Map(store.newestVersions().map((version) => [version.skillId, version]));
    return store.definitions().flatMap((definition) => {
      const version = newest.get(definition.id);
      return definition.isBuiltin || version === undefined ? [] : [toListed(definition, version)];
    });
  }

  async load(id: string): Promise<Skill> {
    const { definition, newest } = this.#find(id);
    // Read again for each run, so that only the approved source runs.
    const { language, source } = this.#intact(definition, newest);
    if (newest.approvedAt === null) {
      throw new AppError(
        'SKILL_NEEDS_REVIEW',
        `The skill ${id} is new or has changed since its last review. Review it on the Skills page.`,
        { details: { skill: id } },
      );
    }
    const { javascript, metadata, limitsIterations } = await this.#compiler.compile(
      language,
      source,
    );
    if (javascript === null || metadata === null) {
      throw new AppError(
        'SKILL_CODE_INVALID',
        `The source of the skill ${id} can no longer run. Open it in the editor to see why.`,
      );
    }
    const stored = readStored(definition.metadataJson);
    if (stored === null || canonicalJson(metadata) !== canonicalJson(stored)) {
      throw tampered(id, 'its stored metadata differs from that in its source');
    }
    const { capabilities: asked, outputSchema } = metadata;
    const granted = grantedOf(newest).filter((capability) => asked.includes(capability));
    const steps = limitsIterations ? metadata.maxIterations : this.#limits.calls;
    const room = { threads: this.#parts.threads, limits: { ...this.#limits, steps } };
    return toolSkill(metadata, (params, context) =>
      runGuest({ javascript, outputSchema, asked, granted }, { params, context }, room),
    );
  }

  async check(language: SkillLanguage, source: string) {
    const { metadata, findings } = await this.#compiler.compile(language, source);
    const taken = metadata !== null && this.#parts.isTaken(metadata.id) ? [metadata.id] : [];
    const conflicts = taken.map((id) => finding(language, 'id_taken', { message: takenText(id) }));
    return { metadata, findings: [...findings, ...conflicts] };
  }

  async save(
    language: SkillLanguage,
    source: string,
    { base }: { readonly base?: string | null | undefined } = {},
  ): Promise<string> {
    const { metadata, findings } = await this.#compiler.compile(language, source);
    const errors = findings.filter(({ severity }) => severity === 'error');
    if (metadata === null || errors.length > 0) throw notStored(errors.map(withLine));
    const { id } = metadata;
    const { store, isTaken } = this.#parts;
    if (isTaken(id)) throw new AppError('CONFLICT', takenText(id));
    this.#assertBase(id, { base, sha256: sourceHash(language, source) });
    store.saveVersion(
      { ...identityOf(metadata), metadataJson: JSON.stringify(metadata) },
      { language, code: source, sha256: sourceHash(language, source) },
    );
    return id;
  }

  describe(id: string): Pick<SkillDetail, 'granted' | 'code' | 'findings'> {
    const { newest } = this.#find(id);
    const { version, sourceCode, sourceCodeHash: sha256 } = newest;
    const language = languageOf(newest);
    const known = this.#compiler.known(language, sourceCode);
    return {
      granted: newest.approvedAt === null ? [] : grantedOf(newest),
      code: { language, source: sourceCode, version, sha256 },
      findings: [...(known?.findings ?? hiddenIn(language, sourceCode))],
    };
  }

  versions(id: string): SkillVersion[] {
    this.#find(id);
    return this.#parts.store.versions(id).map((one) => ({
      version: one.version,
      language: languageOf(one),
      source: one.sourceCode,
      sha256: one.sourceCodeHash,
      createdAt: one.createdAt,
      approvedAt: one.approvedAt,
    }));
  }

  async review(id: string): Promise<SkillReview> {
    return (await this.#inspect(id)).review;
  }

  async approve(
    id: string,
    approval: { readonly sha256: string; readonly capabilities: readonly SkillCapability[] },
  ): Promise<void> {
    const { review, version } = await this.#inspect(id);
    const { sha256, capabilities } = approval;
    if (sha256 !== review.sha256) {
      throw new AppError(
        'CONFLICT',
        `The skill ${id} has changed since it was shown. Review it again.`,
      );
    }
    if (!review.mayApprove) {
      const problems = review.findings.filter(({ severity }) => severity === 'error');
      throw notStored(problems.map(withLine));
    }
    const alien = capabilities.find((one) => !review.capabilities.after.includes(one));
    if (alien !== undefined) {
      throw new AppError('BAD_REQUEST', `The skill ${id} does not request ${alien}.`);
    }
    const granted = SkillCapability.options.filter((one) => capabilities.includes(one));
    this.#parts.store.approveVersion(id, { version, granted });
  }

  remove(id: string): void {
    this.#find(id);
    this.#parts.store.remove(id);
  }

  exportFile(id: string): { readonly fileName: string; readonly text: string } {
    const { definition, newest } = this.#find(id);
    const text = writeSkillFile(this.#intact(definition, newest));
    return { fileName: `${id}.skill.json`, text };
  }

  async importFile(text: string): Promise<string> {
    const { language, source } = readSkillFile(text);
    return await this.save(language, source);
  }

  templates() {
    return readTemplates(this.#parts.root);
  }

  /** Throws `CONFLICT` where the newest source is neither the one that was edited nor the one being saved. */
  #assertBase(
    id: string,
    { base, sha256 }: { readonly base: string | null | undefined; readonly sha256: string },
  ): void {
    if (base === undefined) return;
    const newest = this.#parts.store.definition(id)?.sourceCodeHash ?? null;
    if (newest === null || newest === base || newest === sha256) return;
    const message =
      base === null
        ? `There is a skill ${id} already. Choose another id, or overwrite it.`
        : `The skill ${id} was changed elsewhere since you opened it. Compare its versions, or overwrite it.`;
    throw new AppError('CONFLICT', message, { details: { skill: id, newest } });
  }

  async #inspect(id: string): Promise<{ readonly review: SkillReview; readonly version: number }> {
    const { definition, newest, versions } = this.#find(id);
    const language = languageOf(newest);
    let compiled: CompiledSource;
    try {
      this.#intact(definition, newest);
      compiled = await this.#compiler.compile(language, newest.sourceCode);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'SKILL_TAMPERED') throw error;
      const findings = [finding(language, 'tampered', { message: error.message })];
      compiled = { ...NO_METADATA, javascript: null, findings, isFinal: true };
    }
    const approved = versions.find(({ approvedAt }) => approvedAt !== null) ?? null;
    const review = reviewOf(definition, { newest, approved }, compiled);
    return { review, version: newest.version };
  }

  #find(id: string): {
    readonly definition: SkillDefinition;
    readonly newest: StoredSkillVersion;
    readonly versions: readonly StoredSkillVersion[];
  } {
    const { store } = this.#parts;
    const definition = store.definition(id);
    const versions = store.versions(id);
    const [newest] = versions;
    if (definition === null || newest === undefined) {
      throw new AppError('SKILL_UNKNOWN', `There is no skill ${id}.`);
    }
    return { definition, newest, versions };
  }

  /** The source, if both stored copies match and have the stored hashes. */
  #intact(definition: SkillDefinition, newest: StoredSkillVersion) {
    const { id, sourceCodeHash } = definition;
    const language = safeParse(SkillLanguage, newest.language);
    const hash = language.success ? sourceHash(language.data, newest.sourceCode) : null;
    const isIntact =
      hash === newest.sourceCodeHash &&
      hash === sourceCodeHash &&
      newest.sourceCode === this.#parts.store.sourceOf(id);
    if (!isIntact || !language.success)
      throw tampered(id, 'its source was changed outside the app');
    return { language: language.data, source: newest.sourceCode };
  }
}

function toListed(definition: SkillDefinition, newest: NewestSkillVersion): ListedSkill {
  const { id, name, version, description, author, metadataJson } = definition;
  const plain = { id, name, version, description, author, folder: null, allowedTools: null };
  const metadata = readStored(metadataJson);
  if (metadata === null) {
    const problem = 'Its stored metadata cannot be read. Save its source again.';
    return { ...plain, category: null, tags: [], metadata: null, state: 'broken', problem };
  }
  const { category, tags } = metadata;
  const state = newest.approvedAt === null ? 'needs_review' : 'ready';
  return { ...plain, category, tags, metadata, state, problem: null };
}

function readStored(json: string): SkillMetadata | null {
  try {
    return safeParse(SkillMetadata, JSON.parse(json)).data ?? null;
  } catch {
    // Not JSON: something other than the app wrote it.
    return null;
  }
}

/** An unknown language was not written by the app: the source is shown as JavaScript, and does not run. */
function languageOf({ language }: StoredSkillVersion): SkillLanguage {
  return safeParse(SkillLanguage, language).data ?? 'javascript';
}

/** Only known capabilities; anything else in the database grants nothing. */
function grantedOf({ granted }: StoredSkillVersion): SkillCapability[] {
  return SkillCapability.options.filter((capability) => granted.includes(capability));
}

function tampered(id: string, how: string): AppError {
  const message = `The skill ${id} does not run: ${how}. Save it again and review it.`;
  return new AppError('SKILL_TAMPERED', message, { details: { skill: id } });
}

function takenText(id: string): string {
  return `The id ${id} belongs to another kind of skill. Choose another id.`;
}

function withLine({
  line,
  message,
}: {
  readonly line: number | null;
  readonly message: string;
}): string {
  return line === null || message.startsWith('Line ') ? message : `Line ${line}: ${message}`;
}

function notStored(problems: readonly string[]): AppError {
  const shown = problems.slice(0, 5).join(' ');
  return new AppError('SKILL_CODE_INVALID', `The source is not a skill that can run. ${shown}`, {
    details: { problems },
  });
}
