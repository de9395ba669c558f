import type { SkillExecution, SkillExecutionEvent } from '#contract/skills.ts';

/** A row of `skill_definitions`, without its source code. */
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

/** The part of a row that a skill declares itself; the app sets the rest. */
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

/** What lists show of a skill's newest version. */
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

/** The parsed front matter of a SKILL.md, as JSON, and a stamp of the file it was read from. */
export interface RememberedMatter {
  readonly stamp: string;
  readonly found: unknown;
}

/** Definitions of skills, their sources, and what the user approved. */
export interface SkillStore {
  /** By id. */
  definitions(): SkillDefinition[];
  definition(id: string): SkillDefinition | null;
  /**
   * Inserts or updates built-in skills; an update changes only what the skill declares itself. Removes those
   * that no longer come with the app.
   */
  syncBuiltins(skills: readonly SkillDescription[]): void;
  /** Inserts a Markdown skill or updates its description; `enabled` and counters stay. */
  putMarkdown(skill: SkillDescription, folder: string): void;
  setEnabled(id: string, enabled: boolean): void;
  /** Counts a use of a skill that has a row. */
  noteInvocation(id: string, at: number): void;
  /** Removes a skill that is not built in, with its versions. */
  remove(id: string): void;

  /** For each skill that has versions; without source code. */
  newestVersions(): NewestSkillVersion[];
  /** The source code in the definition, a copy of the newest version's; null if there is none. */
  sourceOf(id: string): string | null;
  /** Stores source code as the newest version; if it equals the newest one, returns that. */
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

  /** Cached front matter of SKILL.md files, by folder. */
  frontMatters(): ReadonlyMap<string, RememberedMatter>;
  rememberMatters(matters: ReadonlyMap<string, RememberedMatter>): void;

  /** What was approved of a folder; null if it never was. */
  approval(folder: string): { readonly sha256: string; readonly approvedAt: number } | null;
  approvedFiles(folder: string): ApprovedFile[];
  approveFiles(folder: string, sha256: string, files: readonly ApprovedFile[]): void;
}

/** Executions of skills. What each has done so far is in the journal of its run. */
export interface SkillExecutionStore {
  /** Inserts an execution; an existing one stays as it is. */
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
  /** Cancels the unfinished executions of runs that have ended; returns how many. */
  cancelAbandoned(at: number): number;
}

/** How far tasks are in Markdown skills. States are JSON, validated by the caller. */
export interface SkillSessionStore {
  /** The states of a task, newest first. */
  list(threadId: string): unknown[];
  find(threadId: string, skill: string): unknown;
  put(threadId: string, skill: string, state: unknown): void;
  /** Every session state in the logs of a task's runs, in order. */
  logged(threadId: string): { readonly runId: string; readonly walk: unknown }[];
}
