import type {
  SkillCapability,
  SkillCheck,
  SkillDetail,
  SkillLanguage,
  SkillMetadata,
  SkillReview,
  SkillSource,
  SkillSummary,
  SkillTemplate,
  SkillVersion,
} from '#contract/skills.ts';
import type { Skill } from './types.ts';

/** What a skill is called and is for, wherever it is listed or stored. */
export type SkillIdentity = Pick<
  SkillSummary,
  'id' | 'name' | 'version' | 'description' | 'category' | 'author'
>;

/** These fields of a skill, without its others. */
export function identityOf(skill: SkillIdentity): SkillIdentity {
  const { id, name, version, description, category, author } = skill;
  return { id, name, version, description, category, author };
}

/** A skill as its catalogue lists it, before its code is loaded. */
export interface ListedSkill extends SkillIdentity, Pick<SkillSummary, 'folder' | 'tags'> {
  /** A Markdown skill that comes with the app. */
  readonly isShipped?: boolean;
  /** Null for a Markdown skill. */
  readonly metadata: SkillMetadata | null;
  readonly state: 'ready' | 'needs_review' | 'broken';
  readonly problem: string | null;
  /** For a Markdown skill: tools that its model may call; null where it does not restrict them. */
  readonly allowedTools: readonly string[] | null;
}

/** A source of skills. Listing is cheap; loading runs every check that a run requires. */
export interface SkillCatalogue {
  readonly source: SkillSource;
  list(): readonly ListedSkill[];
  /** Ready to run. Throws `SKILL_UNKNOWN`, `SKILL_NEEDS_REVIEW`, `SKILL_TAMPERED`, `SKILL_CODE_INVALID`. */
  load(id: string): Promise<Skill>;
}

/** Skills whose source is in the database. */
export interface DynamicSkills extends SkillCatalogue {
  /** The metadata of a source and its problems; nothing is stored, nothing runs outside QuickJS. */
  check(language: SkillLanguage, source: string): Promise<SkillCheck>;
  /**
   * Stores a source as the newest version of its skill, and returns the id. `base` is the hash of the source
   * that was edited, null for a new skill. Throws `SKILL_CODE_INVALID`, and `CONFLICT` where the newest
   * version is another.
   */
  save(
    language: SkillLanguage,
    source: string,
    options?: { readonly base?: string | null | undefined },
  ): Promise<string>;
  describe(id: string): Pick<SkillDetail, 'granted' | 'code' | 'findings'>;
  /** Newest first. */
  versions(id: string): SkillVersion[];
  /** The newest version compared with the last approved one. */
  review(id: string): Promise<SkillReview>;
  /** Throws `CONFLICT` where `sha256` is not that of the review, `BAD_REQUEST` for a capability that it did not request. */
  approve(
    id: string,
    approval: { readonly sha256: string; readonly capabilities: readonly SkillCapability[] },
  ): Promise<void>;
  remove(id: string): void;
  exportFile(id: string): { readonly fileName: string; readonly text: string };
  /** Imports an exported file and returns the id; the skill then waits for a review. Throws `SKILL_CODE_INVALID`. */
  importFile(text: string): Promise<string>;
  templates(): { readonly templates: SkillTemplate[]; readonly types: string };
}

/** Skills that are folders with a SKILL.md. */
export interface MarkdownSkills extends SkillCatalogue {
  /** Scans the folders again. */
  refresh(): void;
  describe(id: string): Promise<Pick<SkillDetail, 'markdown' | 'findings'>>;
  /** All files of the folder compared with the last approved ones. */
  review(id: string): Promise<SkillReview>;
  /** Throws `CONFLICT` where the files are not those of `sha256`, or a finding is an error. */
  approve(id: string, sha256: string): Promise<void>;
  /**
   * Puts a skill into the user's folder and returns its id; it waits for a review. Nothing of the folder runs, and
   * permissions are not taken over. Throws `SKILL_CODE_INVALID`, and `CONFLICT` where a skill has its id.
   */
  importFiles(files: readonly ImportedFile[]): Promise<string>;
}

/** A file of an imported folder. */
export interface ImportedFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly bytes: Buffer;
}
