import path from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { SkillDetail, SkillReview } from '#contract/skills.ts';
import type { SkillStore } from '../../storage/skill-types.ts';
import {
  type ImportedFile,
  identityOf,
  type ListedSkill,
  type MarkdownSkills,
} from '../catalogue-types.ts';
import type { Skill } from '../types.ts';
import { type ExaminedSkill, examineSkill, readSkill } from './examine-skill.ts';
import { importSkillFiles } from './import-skill.ts';
import { fingerprintOf, readSkillFolder, type SkillFolder } from './skill-folder.ts';
import { type FoundSkill, findSkills, type SkillSourceFolder } from './skill-sources.ts';
import { textOf } from './skill-text.ts';
import { describeGrants } from './tool-grant.ts';

/** A skill that a model may read: its files were hashed, and are those that the user approved. */
export interface OpenedSkill {
  readonly id: string;
  readonly folder: SkillFolder;
  readonly examined: ExaminedSkill;
}

export interface MarkdownCatalogueParts {
  readonly store: Pick<
    SkillStore,
    'approval' | 'approvedFiles' | 'approveFiles' | 'frontMatters' | 'rememberMatters'
  >;
  /** Stores no front matter in the cache. */
  readonly readOnly: boolean;
  /** In order of precedence. */
  readonly sources: () => readonly SkillSourceFolder[];
  /** Where imported skills go: one of the sources. Without it there are no imports. */
  readonly importsInto?: string;
  /** Whether a skill of any kind has this id, or a name that means it. */
  readonly isTaken?: (id: string) => boolean;
  /** Called when a skill turns out to differ from the list. */
  readonly onStale: () => void;
}

const CHANGED = 'Its files have changed since they were approved. Review it on the Skills page.';
const NEW = 'It has not been reviewed yet. Review it on the Skills page.';

/**
 * Skills that are folders with a SKILL.md. Listing reads front matter, and for approved skills the sizes and
 * times of the files; whatever a model gets was hashed in the same read.
 */
export class MarkdownCatalogue implements MarkdownSkills {
  readonly source = 'markdown';
  readonly #parts: MarkdownCatalogueParts;
  #found: readonly FoundSkill[] | null = null;
  /** Folders that were hashed in this process: their fingerprint at that time, and the hash. */
  readonly #hashed = new Map<string, { readonly fingerprint: string; readonly sha256: string }>();

  constructor(parts: MarkdownCatalogueParts) {
    this.#parts = parts;
  }

  #find(): FoundSkill[] {
    const { store, sources, readOnly } = this.#parts;
    return findSkills(sources(), {
      frontMatters: () => store.frontMatters(),
      remember: readOnly ? null : (fresh) => store.rememberMatters(fresh),
    });
  }

  refresh(): void {
    this.#found = null;
  }

  list(): readonly ListedSkill[] {
    this.#found = this.#find();
    return this.#found.map((skill) => ({
      ...identityOf(skill),
      folder: skill.folder,
      metadata: null,
      tags: [...skill.tags],
      isShipped: skill.isShipped,
      allowedTools: skill.allowedTools,
      ...this.#stateOf(skill),
    }));
  }

  async importFiles(files: readonly ImportedFile[]): Promise<string> {
    const { importsInto, isTaken = () => false } = this.#parts;
    if (importsInto === undefined) {
      throw new AppError('BAD_REQUEST', 'Markdown skills cannot be imported here.');
    }
    const known = (id: string): boolean =>
      isTaken(id) || this.list().some((skill) => skill.id === id);
    const id = await importSkillFiles(files, { dir: importsInto, isTaken: known });
    this.refresh();
    return id;
  }

  async load(id: string): Promise<Skill> {
    throw new AppError(
      'BAD_REQUEST',
      `${id} is a Markdown skill. Read its instructions with load_skill {"name": ${JSON.stringify(id)}}.`,
    );
  }

  /** Throws `SKILL_UNKNOWN`, `SKILL_NEEDS_REVIEW` where a file is not the approved one, `SKILL_CODE_INVALID`. */
  open(id: string): OpenedSkill {
    const skill = this.#skill(id);
    const folder = this.#read(skill);
    if (!this.#isTrusted(skill, folder.sha256)) {
      this.#parts.onStale();
      const isNew = this.#parts.store.approval(skill.folder) === null;
      throw new AppError(
        'SKILL_NEEDS_REVIEW',
        `The skill ${id} may not be used. ${isNew ? NEW : CHANGED}`,
        {
          details: { skill: id },
        },
      );
    }
    // Approved files were scanned before the approval; shipped ones are scanned by the app's tests.
    const examined = readSkill(folder, path.basename(skill.folder));
    const [first] = examined.findings;
    if (first?.severity === 'error') {
      throw new AppError('SKILL_CODE_INVALID', `The skill ${id} cannot be used. ${first.message}`);
    }
    return { id, folder, examined };
  }

  async describe(id: string): Promise<Pick<SkillDetail, 'markdown' | 'findings'>> {
    const skill = this.#skill(id);
    const folder = this.#read(skill);
    const examined = await examineSkill(folder, path.basename(skill.folder));
    const { instructions, steps, grants, findings } = examined;
    return {
      markdown: {
        instructions,
        files: folder.files.map(({ path: file, bytes }) => ({ path: file, size: bytes.length })),
        steps: [...steps],
        allowedTools: grants === null ? null : describeGrants(grants),
      },
      findings: [...findings],
    };
  }

  async review(id: string): Promise<SkillReview> {
    const skill = this.#skill(id);
    const folder = this.#read(skill);
    const name = path.basename(skill.folder);
    const { matter, grants, findings } = await examineSkill(folder, name);
    return {
      skillId: id,
      name: matter?.name ?? skill.name,
      source: 'markdown',
      sha256: folder.sha256,
      files: this.#differences(skill, folder),
      capabilities: { before: [], after: [] },
      requiredTools: describeGrants(grants ?? []),
      findings: [...findings],
      mayApprove: !findings.some(({ severity }) => severity === 'error'),
    };
  }

  async approve(id: string, sha256: string): Promise<void> {
    const skill = this.#skill(id);
    const folder = this.#read(skill);
    if (folder.sha256 !== sha256) {
      throw new AppError(
        'CONFLICT',
        `The files of ${id} have changed since you reviewed them. Review them again.`,
      );
    }
    const { findings } = await examineSkill(folder, path.basename(skill.folder));
    const [first] = findings;
    if (first?.severity === 'error') {
      throw new AppError('CONFLICT', `${id} cannot be approved. ${first.message}`);
    }
    const files = folder.files.map((file) => ({
      path: file.path,
      sha256: file.sha256,
      content: file.bytes,
    }));
    this.#parts.store.approveFiles(skill.folder, sha256, files);
  }

  #skill(id: string): FoundSkill {
    this.#found ??= this.#find();
    const skill = this.#found.find((one) => one.id === id);
    if (skill === undefined) throw new AppError('SKILL_UNKNOWN', `There is no skill ${id}.`);
    return skill;
  }

  #read({ id, folder }: FoundSkill): SkillFolder {
    try {
      const fingerprint = fingerprintOf(folder);
      const read = readSkillFolder(folder);
      this.#hashed.set(folder, { fingerprint, sha256: read.sha256 });
      return read;
    } catch (error) {
      this.#parts.onStale();
      throw new AppError('SKILL_UNKNOWN', `The folder of the skill ${id} cannot be read.`, {
        cause: error,
      });
    }
  }

  /** Shipped skills are trusted: anyone who could change them could change the app that checks them. */
  #isTrusted({ isShipped, folder }: FoundSkill, sha256: string): boolean {
    return isShipped || this.#parts.store.approval(folder)?.sha256 === sha256;
  }

  #stateOf(skill: FoundSkill): Pick<ListedSkill, 'state' | 'problem'> {
    if (skill.problem !== null) return { state: 'broken', problem: skill.problem };
    if (skill.isShipped) return { state: 'ready', problem: null };
    const approval = this.#parts.store.approval(skill.folder);
    if (approval === null) return { state: 'needs_review', problem: NEW };
    const sha256 = this.#knownHash(skill);
    if (sha256 === approval.sha256) return { state: 'ready', problem: null };
    return { state: 'needs_review', problem: CHANGED };
  }

  /** The hash of a folder, which is read again only where its fingerprint has changed. */
  #knownHash(skill: FoundSkill): string | null {
    try {
      const known = this.#hashed.get(skill.folder);
      if (known !== undefined && known.fingerprint === fingerprintOf(skill.folder)) {
        return known.sha256;
      }
      return this.#read(skill).sha256;
    } catch {
      // Missing or unreadable, so not what was approved.
      return null;
    }
  }

  #differences({ folder: at }: FoundSkill, folder: SkillFolder): SkillReview['files'] {
    const before = new Map(this.#parts.store.approvedFiles(at).map((file) => [file.path, file]));
    const after = new Map(folder.files.map((file) => [file.path, file]));
    return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((file) => {
      const [old, now] = [before.get(file), after.get(file)];
      if (old?.sha256 === now?.sha256) return [];
      const [oldText, nowText] = [old?.content, now?.bytes].map((bytes) =>
        bytes === undefined ? null : (textOf(bytes) ?? ''),
      );
      const isBinary = [old?.content, now?.bytes].some(
        (bytes) => bytes !== undefined && textOf(bytes) === null,
      );
      return [{ path: file, before: oldText ?? null, after: nowText ?? null, isBinary }];
    });
  }
}
