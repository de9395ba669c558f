import { systemClock } from '#main/base/clock.ts';
import { UserStops } from '#main/hitl/user-stops.ts';
import { SkillSessions } from '#main/skills/markdown/skill-sessions.ts';
import { SkillExecutor } from '#main/skills/skill-executor.ts';
import { SkillRegistry } from '#main/skills/skill-registry.ts';
import type { SkillExecutionStore, SkillStore } from '#main/storage/skill-types.ts';
import type { RunJournal } from '#main/storage/types.ts';
import type { ToolCatalogueParts } from '#main/tools/tool-catalogue.ts';
import type { SkillRunAgents } from '#main/tools/types.ts';

function unused<Type extends object>(name: string): Type {
  return new Proxy({} as Type, {
    get: (_target, property) => {
      throw new Error(`This test has no ${name}, and ${String(property)} of it was used`);
    },
  });
}

/** For tests that have no skills: none is there, and any use of more fails. */
export function noSkills(): ToolCatalogueParts['skills'] {
  const store = { definitions: () => [] } as unknown as SkillStore;
  const registry = new SkillRegistry({ store, catalogues: [], toolRisk: () => 'high' });
  const executions = unused<SkillExecutionStore>('store of executions');
  const sessions = new SkillSessions({
    store: { list: () => [], find: () => null, put: () => undefined, logged: () => [] },
    stops: new UserStops({ newest: () => null, append: () => undefined }),
  });
  const markdown = unused<ToolCatalogueParts['skills']['markdown']>('Markdown skills');
  const executor = new SkillExecutor({
    ...{ registry, executions, clock: systemClock },
    journal: unused<RunJournal>('journal'),
  });
  return { registry, executor, markdown, sessions, clock: systemClock };
}

export function noSkillAgents(): SkillRunAgents {
  return unused('agents for skills');
}
