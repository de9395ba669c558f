import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { RiskLevel } from '#contract/vocabulary.ts';
import { skillRequests } from '../api/skills.ts';
import type { Clock } from '../base/clock.ts';
import type { DisposalStack } from '../base/disposable.ts';
import { UserStops } from '../hitl/user-stops.ts';
import type { PolicyLimits } from '../policy/limits.ts';
import { BuiltinCatalogue } from '../skills/builtin-catalogue.ts';
import { DynamicCatalogue } from '../skills/dynamic/dynamic-catalogue.ts';
import { SkillThreads } from '../skills/dynamic/skill-threads.ts';
import { MarkdownCatalogue } from '../skills/markdown/markdown-catalogue.ts';
import { SkillSessions } from '../skills/markdown/skill-sessions.ts';
import type { SkillSourceFolder } from '../skills/markdown/skill-sources.ts';
import { SkillExecutor } from '../skills/skill-executor.ts';
import { SKILL_ALIASES, SkillRegistry } from '../skills/skill-registry.ts';
import type { SkillExecutionStore, SkillSessionStore, SkillStore } from '../storage/skill-types.ts';
import type { RunJournal } from '../storage/types.ts';

export interface SkillParts {
  readonly store: SkillStore;
  readonly executions: SkillExecutionStore;
  readonly journal: RunJournal;
  readonly sessions: SkillSessionStore;
  /** The first run of the turn that a run belongs to. */
  readonly turnOf: (runId: string) => string;
  /** Folders that hold Markdown skills. */
  readonly folders: () => readonly SkillSourceFolder[];
  /** Where imported Markdown skills go: one of these folders. */
  readonly importsInto: string;
  readonly clock: Clock;
  /** Folder of the modules that skills copy into workspaces. */
  readonly modulesDir: string;
  /** The app's folder. */
  readonly root: string;
  readonly closing: DisposalStack;
  readonly toolRisk: (name: string) => RiskLevel;
  /** If true, builtin skills are not written to the database. */
  readonly readOnly: boolean;
  readonly limits: Pick<PolicyLimits, 'skill'>;
  readonly onChange: () => void;
}

/** Modules for workspaces that are libraries, by their names there. */
const LIBRARIES: Readonly<Record<string, string>> = {
  'xlsx.cjs': '@e965/xlsx/dist/xlsx.full.min.js',
};

/** Creates the registry of all skills and the services that run them. */
export function createSkills(parts: SkillParts): {
  readonly registry: SkillRegistry;
  readonly executor: SkillExecutor;
  readonly requests: ReturnType<typeof skillRequests>;
  readonly markdown: MarkdownCatalogue;
  readonly sessions: SkillSessions;
  readonly clock: Clock;
  readonly readModule: (name: string) => Promise<string>;
} {
  const { store, executions, clock, modulesDir, toolRisk, onChange } = parts;
  const readModule = (name: string): Promise<string> =>
    readFile(
      LIBRARIES[name] === undefined
        ? join(modulesDir, name)
        : createRequire(import.meta.url).resolve(LIBRARIES[name]),
      'utf8',
    );
  const builtin = new BuiltinCatalogue();
  const markdown = new MarkdownCatalogue({
    store,
    sources: parts.folders,
    importsInto: parts.importsInto,
    // A name of the app's own skills, in any spelling, would stand for theirs or hide behind it.
    isTaken: (id) => registry.find(id) !== null,
    readOnly: parts.readOnly,
    onStale: () => {
      registry.changed();
      onChange();
    },
  });
  const threads = new SkillThreads(parts.root);
  parts.closing.add(() => threads[Symbol.asyncDispose]());
  const dynamic = new DynamicCatalogue({
    store,
    threads,
    root: parts.root,
    isTaken: (id) =>
      Object.hasOwn(SKILL_ALIASES, id) ||
      [builtin, markdown].some((catalogue) => catalogue.list().some((skill) => skill.id === id)),
  });
  const registry: SkillRegistry = new SkillRegistry({
    store,
    toolRisk,
    forbids: (skill) => parts.limits.skill(skill),
    onUse: onChange,
    catalogues: [builtin, dynamic, markdown],
  });
  if (!parts.readOnly) registry.syncBuiltins();
  return {
    registry,
    executor: new SkillExecutor({
      registry,
      executions,
      journal: parts.journal,
      clock,
      readModule,
    }),
    markdown,
    clock,
    readModule,
    sessions: new SkillSessions({
      store: parts.sessions,
      turnOf: parts.turnOf,
      isReady: (skill) => registry.isReady(skill),
      stops: new UserStops(parts.journal),
    }),
    requests: skillRequests({ registry, executions, dynamic, markdown, onChange }),
  };
}
