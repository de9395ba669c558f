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

/** A skill as a place that has skills knows it, before anything of it is loaded. */
export interface ListedSkill
  extends Pick<
    SkillSummary,
    'id' | 'name' | 'version' | 'description' | 'category' | 'folder' | 'author' | 'tags'
  > {
  /** A Markdown skill that comes with the app. */
  readonly isShipped?: boolean;
  /** Null for a Markdown skill. */
  readonly metadata: SkillMetadata | null;
  readonly state: 'ready' | 'needs_review' | 'broken';
  readonly problem: string | null;
  /** For a Markdown skill: tools that its model may call; null where it narrows nothing. */
  readonly allowedTools: readonly string[] | null;
}

/** A place that skills come from. Listing is cheap; loading checks all that must hold before a run. */
export interface SkillCatalogue {
  readonly source: SkillSource;
  list(): readonly ListedSkill[];
  /** Ready to run. Throws `SKILL_UNKNOWN`, `SKILL_NEEDS_REVIEW`, `SKILL_TAMPERED`, `SKILL_CODE_INVALID`. */
  load(id: string): Promise<Skill>;
}

/** Skills whose source is in the database. */
export interface DynamicSkills extends SkillCatalogue {
  /** What is wrong with a source and what it says of itself; nothing is stored, nothing is run outside QuickJS. */
  check(language: SkillLanguage, source: string): Promise<SkillCheck>;
  /**
   * Stores a source as the newest version of its skill, and gives the id. `base` is the hash of the source
   * that was changed, null for a new skill. Throws `SKILL_CODE_INVALID`, and `CONFLICT` where the newest
   * is another.
   */
  save(
    language: SkillLanguage,
    source: string,
    options?: { readonly base?: string | null | undefined },
  ): Promise<string>;
  describe(id: string): Pick<SkillDetail, 'granted' | 'code' | 'findings'>;
  /** Newest first. */
  versions(id: string): SkillVersion[];
  /** The newest version against the one that was approved last. */
  review(id: string): Promise<SkillReview>;
  /** Throws `CONFLICT` where `sha256` is not that of the review, `BAD_REQUEST` for a capability not asked for. */
  approve(
    id: string,
    approval: { readonly sha256: string; readonly capabilities: readonly SkillCapability[] },
  ): Promise<void>;
  remove(id: string): void;
  exportFile(id: string): { readonly fileName: string; readonly text: string };
  /** Takes an exported file in and gives the id; what it holds waits for a review. Throws `SKILL_CODE_INVALID`. */
  importFile(text: string): Promise<string>;
  templates(): { readonly templates: SkillTemplate[]; readonly types: string };
}

/** Skills that are folders with a SKILL.md. */
export interface MarkdownSkills extends SkillCatalogue {
  /** Looks through the folders again. */
  refresh(): void;
  describe(id: string): Promise<Pick<SkillDetail, 'markdown' | 'findings'>>;
  /** All files of the folder against those that were approved last. */
  review(id: string): Promise<SkillReview>;
  /** Throws `CONFLICT` where the files are not those of `sha256`, or an error stands in the way. */
  approve(id: string, sha256: string): Promise<void>;
}
