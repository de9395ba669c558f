import { systemClock } from '#main/base/clock.ts';
import type { SkillDesk } from '#main/skills/skill-desk.ts';
import { SkillExecutor } from '#main/skills/skill-executor.ts';
import { SkillRegistry } from '#main/skills/skill-registry.ts';
import type { SkillExecutionStore, SkillStore } from '#main/storage/skill-types.ts';
import type { SkillRunAgents } from '#main/tools/types.ts';

function unused<Type extends object>(name: string): Type {
  return new Proxy({} as Type, {
    get: (_target, property) => {
      throw new Error(`This test has no ${name}, and ${String(property)} of it was used`);
    },
  });
}

/** For tests that have no skills: none is there, and any use of more fails. */
export function noSkills(): { readonly registry: SkillRegistry; readonly executor: SkillExecutor } {
  const store = { definitions: () => [] } as unknown as SkillStore;
  const registry = new SkillRegistry({ store, shelves: [], toolRisk: () => 'high' });
  const executions = unused<SkillExecutionStore>('store of executions');
  return { registry, executor: new SkillExecutor({ registry, executions, clock: systemClock }) };
}

export function noSkillAgents(): SkillRunAgents {
  return unused('agents for skills');
}

export function noSkillDesk(): SkillDesk {
  return unused('desk of skills');
}
