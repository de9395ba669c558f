import type { RunEventDraft } from '#contract/events/run-event.ts';
import { SkillMetadata } from '#contract/skills.ts';
import { branchStep, RUN_STEP } from '#main/base/step-path.ts';
import { BuiltinCatalogue } from '#main/skills/builtin-catalogue.ts';
import { SkillExecutor } from '#main/skills/skill-executor.ts';
import { SkillRegistry } from '#main/skills/skill-registry.ts';
import type { JsonObject, Skill, SkillHost, SkillResult } from '#main/skills/types.ts';
import { openJournal } from '#main/storage/run-journal.ts';
import { openSkillExecutions } from '#main/storage/skill-execution-store.ts';
import { openSkills } from '#main/storage/skill-store.ts';
import { HandClock, insertRun, open, temporaryDir } from '../main/storage/support.ts';

/** Metadata of a skill of a test. */
export function skillMetadata(more: Partial<SkillMetadata> = {}): SkillMetadata {
  return SkillMetadata.parse({
    ...{ id: 'sample', name: 'Sample', description: 'For a test.', category: 'automation' },
    ...more,
  });
}

export interface HostedSkills {
  readonly executor: SkillExecutor;
  readonly events: readonly RunEventDraft[];
  execute(skillId: string, params?: JsonObject): Promise<SkillResult>;
  /** Names of the stages that began, ended or failed, as `name:status`, without those of the skill itself. */
  stages(): string[];
}

/** Skills of a test under the real executor and a real database, in a run that has no models and no tools. */
export function hostSkills(skills: readonly Skill[], more: Partial<SkillHost> = {}): HostedSkills {
  const database = open(temporaryDir());
  insertRun(database);
  const clock = new HandClock();
  const registry = new SkillRegistry({
    store: openSkills(database.connection, clock),
    catalogues: [new BuiltinCatalogue(skills)],
    toolRisk: () => 'low',
  });
  registry.syncBuiltins();
  const executions = openSkillExecutions(database.connection);
  const executor = new SkillExecutor({
    ...{ registry, executions, clock },
    journal: openJournal(database.connection, clock),
  });
  const events: RunEventDraft[] = [];
  const none = async (): Promise<never> => {
    throw new Error('This test has none');
  };
  const host: SkillHost = {
    ...{ runId: 'run_1', threadId: 'thr_1', toolCallId: 'call_1' },
    step: RUN_STEP,
    ...{ resumed: false, pause: new AbortController().signal },
    signal: new AbortController().signal,
    emit: (event) => void events.push(event),
    persist: (work) => work(),
    commit: (work) => work(),
    ...{ model: none, call: none, onReply: () => undefined },
    approveChild: async (child) => child,
    files: { readFile: none, readBytes: none, writeFile: none, listFiles: none },
    slides: { checkInOffice: async () => ({ state: 'not_checked', why: 'not installed' }) },
    images: { place: async () => ({ where: 'elsewhere' }) },
    toolNames: new Set(),
    agents: { loop: none, research: none, firstSource: () => 1 },
    passesThrough: () => false,
    ...more,
  };
  let count = 0;
  return {
    ...{ executor, events },
    execute: (skillId, params = {}) => {
      count += 1;
      const step = branchStep(RUN_STEP, 'test', String(count));
      const executionId = `run_1~call_${count}`;
      return executor.execute({ skillId, params, host: { ...host, step }, executionId });
    },
    stages: () =>
      events.flatMap((event) =>
        event.type === 'stage' && event.name.includes('.')
          ? [`${event.name.slice(event.name.indexOf('.') + 1)}:${event.status}`]
          : [],
      ),
  };
}
