import type { SkillExecution, SkillExecutionEvent } from '#contract/skills.ts';

/** A row of `skill_definitions`, without the source. */
export interface SkillDefinition {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly category: string | null;
  readonly author: string;
  readonly metadataJson: string;
  /** The folder of a Markdown skill; empty for others. */
  readonly modulePath: string;
  readonly sourceCodeHash: string | null;
  readonly enabled: boolean;
  readonly isBuiltin: boolean;
  readonly invocationCount: number;
  readonly lastInvokedAt: number | null;
}

/** What a skill says of itself; the rest of its row is the app's. */
export type SkillDescription = Pick<
  SkillDefinition,
  'id' | 'name' | 'version' | 'description' | 'category' | 'author' | 'metadataJson'
>;

export interface StoredSkillVersion {
  readonly version: number;
  readonly language: string;
  readonly sourceCode: string;
  readonly sourceCodeHash: string;
  readonly createdAt: number;
  readonly approvedAt: number | null;
  readonly granted: readonly string[];
}

/** What lists need to know of a skill's newest source. */
export interface NewestSkillVersion {
  readonly skillId: string;
  readonly version: number;
  readonly approvedAt: number | null;
}

export interface ApprovedFile {
  readonly path: string;
  readonly sha256: string;
  readonly content: Uint8Array;
}

/** What a SKILL.md said, as JSON, and what it looked like then. */
export interface RememberedMatter {
  readonly stamp: string;
  readonly found: unknown;
}

/** Definitions of skills, their sources, and what the person approved. */
export interface SkillStore {
  /** By id. */
  definitions(): SkillDefinition[];
  definition(id: string): SkillDefinition | null;
  /**
   * Puts builtin skills in: of those that are there, only what the skill says of itself is changed. Those
   * that no longer come with the app go.
   */
  syncBuiltins(skills: readonly SkillDescription[]): void;
  /** Puts a Markdown skill in, or its description; enabled and counters stay. */
  putMarkdown(skill: SkillDescription, folder: string): void;
  setEnabled(id: string, enabled: boolean): void;
  /** Counts a use of a skill that has a row. */
  noteInvocation(id: string, at: number): void;
  /** Removes a skill that is not built in, with its versions. */
  remove(id: string): void;

  /** Of each skill that has sources, without them. */
  newestVersions(): NewestSkillVersion[];
  /** The source that the definition holds, a copy of the newest version's; null where it holds none. */
  sourceOf(id: string): string | null;
  /** Stores a source as the newest version; the same source as the newest one again gives that. */
  saveVersion(
    skill: SkillDescription,
    source: { readonly language: string; readonly code: string; readonly sha256: string },
  ): StoredSkillVersion;
  /** Newest first. */
  versions(skillId: string): StoredSkillVersion[];
  approveVersion(
    skillId: string,
    approval: { readonly version: number; readonly granted: readonly string[] },
  ): void;

  /** What was read of SKILL.md files before, by folder. */
  frontMatters(): ReadonlyMap<string, RememberedMatter>;
  rememberMatters(matters: ReadonlyMap<string, RememberedMatter>): void;

  /** What was approved of a folder; null for one that never was. */
  approval(folder: string): { readonly sha256: string; readonly approvedAt: number } | null;
  approvedFiles(folder: string): ApprovedFile[];
  approveFiles(folder: string, sha256: string, files: readonly ApprovedFile[]): void;
}

/** Executions of skills, and what each has done so far. */
export interface SkillExecutionStore {
  /** Puts one in; one that is there already stays as it is. */
  begin(
    execution: Omit<SkillExecution, 'status' | 'output' | 'error' | 'endedAt' | 'events'>,
  ): SkillExecution;
  find(id: string): SkillExecution | null;
  addEvent(id: string, event: SkillExecutionEvent): void;
  finish(
    id: string,
    end: Pick<SkillExecution, 'status' | 'output' | 'error'> & { readonly endedAt: number },
  ): void;
  /** Newest first. */
  list(filter: { readonly skillId?: string; readonly limit: number }): SkillExecution[];
  /** Ends what is still open of runs that have ended, and says of how many executions. */
  closeLeftOvers(at: number): number;

  /** What is known of a piece of work under this key; null where it never began. */
  entry(
    executionId: string,
    key: string,
  ): { readonly number: number; readonly result: unknown } | null;
  /** The highest number of a piece of work so far; 0 for none. */
  highest(executionId: string): number;
  /** Puts a piece of work down under its number. */
  enter(executionId: string, key: string, number: number): void;
  /** Its result, as JSON. */
  settle(executionId: string, key: string, result: unknown): void;
}

/** How far tasks are in Markdown skills; states are JSON, checked by whoever put them in. */
export interface SkillSessionStore {
  /** Those of a task, by when they were put, newest first. */
  list(threadId: string): unknown[];
  find(threadId: string, skill: string): unknown;
  put(threadId: string, skill: string, state: unknown): void;
  /** Every walk that the logs of a task's runs tell of, in their order. */
  logged(threadId: string): { readonly runId: string; readonly walk: unknown }[];
}
