import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RiskLevel } from '#contract/vocabulary.ts';
import type { Clock } from '../base/clock.ts';
import { BuiltinShelf } from '../skills/builtin-shelf.ts';
import { noDynamicSkills, noMarkdownSkills } from '../skills/dynamic/no-dynamic-skills.ts';
import { createSkillDesk, type SkillDesk } from '../skills/skill-desk.ts';
import { SkillExecutor } from '../skills/skill-executor.ts';
import { SkillRegistry } from '../skills/skill-registry.ts';
import type { SkillExecutionStore, SkillStore } from '../storage/skill-types.ts';

export interface SkillParts {
  readonly store: SkillStore;
  readonly executions: SkillExecutionStore;
  readonly clock: Clock;
  /** Where Python modules lie that skills put into workspaces. */
  readonly modulesDir: string;
  readonly toolRisk: (name: string) => RiskLevel;
  /** Where nothing may be written, builtin skills are not put into the database. */
  readonly readOnly: boolean;
  readonly onChange: () => void;
}

/** Every skill, wherever it is from, and what runs them. */
export function createSkills(parts: SkillParts): {
  readonly registry: SkillRegistry;
  readonly executor: SkillExecutor;
  readonly desk: SkillDesk;
} {
  const { store, executions, clock, modulesDir, toolRisk, onChange } = parts;
  const readModule = (name: string): Promise<string> =>
    readFile(join(modulesDir, `${name}.py`), 'utf8');
  const [dynamic, markdown] = [noDynamicSkills, noMarkdownSkills];
  const registry = new SkillRegistry({
    ...{ store, toolRisk },
    shelves: [new BuiltinShelf(), dynamic, markdown],
  });
  if (!parts.readOnly) registry.syncBuiltins();
  return {
    registry,
    executor: new SkillExecutor({ registry, executions, clock, readModule }),
    desk: createSkillDesk({ registry, executions, dynamic, markdown, onChange }),
  };
}
