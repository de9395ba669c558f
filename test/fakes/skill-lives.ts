import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { SkillSource } from '#contract/skills.ts';
import { systemClock } from '#main/base/clock.ts';
import { branchStep, RUN_STEP } from '#main/base/step-path.ts';
import { BuiltinCatalogue } from '#main/skills/builtin-catalogue.ts';
import { SkillExecutor } from '#main/skills/skill-executor.ts';
import { SkillRegistry } from '#main/skills/skill-registry.ts';
import type { JsonObject, Skill, SkillHost, SkillResult, ToolAnswer } from '#main/skills/types.ts';
import { openJournal } from '#main/storage/run-journal.ts';
import { openSkillExecutions } from '#main/storage/skill-execution-store.ts';
import { openSkills } from '#main/storage/skill-store.ts';
import { HandClock, insertRun, open, temporaryDir } from '../main/storage/support.ts';

/** The process is gone: nothing that comes after it happens. */
export class Killed extends Error {
  constructor() {
    super('Killed');
    this.name = 'Killed';
  }
}

export interface SkillLife {
  readonly events: readonly RunEventDraft[];
  /** Writes to the database so far. */
  readonly writes: () => number;
  /** Stops the run. */
  readonly abort: AbortController;
  execute(skillId: string, params?: JsonObject): Promise<SkillResult>;
  /** `name status` of all emitted stages, without `skill_`. */
  emitted(): string[];
}

export interface LifeOptions {
  readonly host?: Partial<SkillHost>;
  /** Killed in place of the write of this number, counted from 1. */
  readonly killAt?: number;
  /** The call of the agent that executions belong to. */
  readonly call?: string;
}

/** Skills of a test under the real executor over one real database, in as many lives as are asked for. */
export function openSkillLives(skills: readonly Skill[], source: SkillSource = 'builtin') {
  const database = open(temporaryDir());
  insertRun(database);
  const clock = new HandClock();
  const store = openSkills(database.connection, clock);
  const executions = openSkillExecutions(database.connection);
  const journal = openJournal(database.connection, clock);
  const registryOf = (): SkillRegistry => {
    const catalogue = new BuiltinCatalogue(skills);
    const registry = new SkillRegistry({
      store,
      catalogues: [{ source, list: () => catalogue.list(), load: (id) => catalogue.load(id) }],
      toolRisk: () => 'low',
    });
    registry.syncBuiltins();
    return registry;
  };
  const life = ({ host: more = {}, killAt = 0, call = 'call' }: LifeOptions = {}): SkillLife => {
    let writes = 0;
    const events: RunEventDraft[] = [];
    const abort = new AbortController();
    const alive = (): void => {
      if (killAt > 0 && writes >= killAt) throw new Killed();
    };
    const write = (work: () => void): void => {
      writes += 1;
      alive();
      work();
    };
    const none = async (): Promise<never> => {
      throw new Error('This test has none');
    };
    const given: SkillHost = {
      ...{ runId: 'run_1', threadId: 'thr_1', toolCallId: call, signal: abort.signal },
      step: branchStep(RUN_STEP, 'test', call),
      ...{ resumed: false, pause: new AbortController().signal },
      emit: (event) => void events.push(event),
      ...{ persist: write, commit: write, model: none, call: none, onReply: () => undefined },
      files: { readFile: none, readBytes: none, writeFile: none, listFiles: none },
      approveChild: async (child) => child,
      slides: { checkInOffice: async () => ({ state: 'not_checked', why: 'not installed' }) },
      images: { place: async () => ({ where: 'elsewhere' }) },
      toolNames: new Set<string>(),
      agents: { loop: none, research: none, firstSource: () => 1 },
      passesThrough: (error) => error instanceof Killed,
      ...more,
    };
    const executor = new SkillExecutor({
      ...{ registry: registryOf(), executions, journal },
      clock: systemClock,
    });
    return {
      ...{ events, abort, writes: () => writes },
      execute: (skillId, params = {}) =>
        executor.execute({ skillId, params, host: given, executionId: `run_1~${call}` }),
      emitted: () =>
        events.flatMap((event) =>
          event.type === 'stage' ? [`${event.name.slice('skill_'.length)} ${event.status}`] : [],
        ),
    };
  };
  /** Pieces of work that began and have no result yet, without those of kinds that hold others. */
  const unsettled = (wrappers: readonly string[]): number =>
    database.connection
      .sql<{ hash: string }>(
        `SELECT hash FROM run_journal WHERE kind = 'work' GROUP BY step, hash
         HAVING max(json_type(payload, '$.value') IS NOT NULL) = 0`,
      )
      .all()
      .filter(({ hash }) => !wrappers.includes(hash.split(' ')[0] ?? '')).length;
  return { database, clock, store, executions, life, unsettled, registry: registryOf };
}

export const answerOf = (data: unknown): ToolAnswer => ({
  ...{ ok: true, status: 'ok', data },
  content: typeof data === 'string' ? data : JSON.stringify(data),
});
