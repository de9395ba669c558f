import { onTestFinished } from 'vitest';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { SkillCapability, SkillLanguage } from '#contract/skills.ts';
import { appRoot } from '#main/app-root.ts';
import { systemClock } from '#main/base/clock.ts';
import { branchStep, RUN_STEP } from '#main/base/step-path.ts';
import { DynamicCatalogue } from '#main/skills/dynamic/dynamic-catalogue.ts';
import type { GuestLimits } from '#main/skills/dynamic/limits.ts';
import { SkillThreads } from '#main/skills/dynamic/skill-threads.ts';
import { SkillExecutor } from '#main/skills/skill-executor.ts';
import { SkillRegistry } from '#main/skills/skill-registry.ts';
import type { JsonObject, SkillHost, SkillResult, ToolAnswer } from '#main/skills/types.ts';
import { openJournal } from '#main/storage/run-journal.ts';
import { openSkillExecutions } from '#main/storage/skill-execution-store.ts';
import { openSkills } from '#main/storage/skill-store.ts';
import type { SkillExecutionStore, SkillStore } from '#main/storage/skill-types.ts';
import { insertRun, open, temporaryDir } from '../main/storage/support.ts';
import { ScriptedChatModel, type ScriptedReply } from './scripted-chat-model.ts';

export interface DynamicBenchOptions {
  readonly limits?: Partial<GuestLimits>;
  /** Its own, unless some are given. */
  readonly threads?: SkillThreads;
  /** What tools answer, by name. */
  readonly tools?: DynamicBench['tools'];
  readonly replies?: readonly ScriptedReply[];
  readonly signal?: AbortSignal;
  readonly passesThrough?: (error: unknown) => boolean;
  /** What is put down waits for the next commit, as in a run; `kill` loses what waits. */
  readonly isLazy?: boolean;
}

type Answer = Partial<ToolAnswer>;

export interface DynamicBench {
  readonly tools: Record<string, (given: JsonObject) => Answer | Promise<Answer>>;
  readonly dataDir: string;
  readonly store: SkillStore;
  readonly executions: SkillExecutionStore;
  readonly catalogue: DynamicCatalogue;
  readonly threads: SkillThreads;
  readonly registry: SkillRegistry;
  /** What reached the app, in order. */
  readonly calls: readonly { readonly name: string; readonly given: JsonObject }[];
  readonly events: readonly RunEventDraft[];
  readonly files: Map<string, string>;
  /** Requests that the model got, as JSON. */
  readonly asked: readonly string[];
  /** Saves a source and says yes to it; all that it asks for is granted unless told otherwise. */
  add(
    source: string,
    options?: { readonly granted?: readonly SkillCapability[]; readonly language?: SkillLanguage },
  ): Promise<string>;
  /** Loses what was put down and not committed. */
  kill(): void;
  invoke(id: string, params?: JsonObject, executionId?: string): Promise<SkillResult>;
}

/** Dynamic skills with the real store, registry and executor; only what they reach is a fake that keeps count. */
export function openDynamicBench(options: DynamicBenchOptions = {}): DynamicBench {
  const dataDir = temporaryDir();
  const database = open(dataDir);
  insertRun(database);
  const store = openSkills(database.connection, systemClock);
  const executions = openSkillExecutions(database.connection);
  const threads = options.threads ?? new SkillThreads(appRoot());
  if (options.threads === undefined) onTestFinished(() => threads[Symbol.asyncDispose]());
  const catalogue = new DynamicCatalogue({
    ...{ store, threads, root: appRoot(), isTaken: (id) => id === 'taken_skill' },
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const registry = new SkillRegistry({ store, catalogues: [catalogue], toolRisk: () => 'high' });
  const executor = new SkillExecutor({
    ...{ registry, executions, clock: systemClock },
    journal: openJournal(database.connection, systemClock),
  });
  const calls: { name: string; given: JsonObject }[] = [];
  const events: RunEventDraft[] = [];
  const tools = { ...options.tools };
  const files = new Map<string, string>();
  const waiting: (() => void)[] = [];
  /** Results of calls by their steps, as the ledger keeps them. */
  const results = new Map<string, ToolAnswer>();
  const model = new ScriptedChatModel(options.replies ?? []);
  const host: SkillHost = {
    ...{ runId: 'run_1', threadId: 'thr_1', toolCallId: 'call_1' },
    step: RUN_STEP,
    ...{ resumed: false, pause: new AbortController().signal },
    signal: options.signal ?? new AbortController().signal,
    emit: (event) => void events.push(event),
    persist: (work) => {
      if (options.isLazy === true) waiting.push(work);
      else work();
    },
    commit: (work) => {
      for (const earlier of waiting.splice(0)) earlier();
      work();
    },
    model: async () => model,
    onReply: () => undefined,
    approveChild: async (child) => child,
    call: async ({ name, arguments: given }, step) => {
      const known = results.get(step);
      if (known !== undefined) return known;
      calls.push({ name, given });
      const answer = (await tools[name]?.(given)) ?? { content: `${name} answers` };
      const { content = '', data = content } = answer;
      const result: ToolAnswer = { ok: true, status: 'ok', ...answer, content, data };
      host.persist(() => results.set(step, result));
      return result;
    },
    files: {
      readFile: async (path) => {
        calls.push({ name: 'readFile', given: { path } });
        return files.get(path) ?? '';
      },
      readBytes: async (path) => Buffer.from(files.get(path) ?? ''),
      writeFile: async (path, content) => {
        calls.push({ name: 'writeFile', given: { path } });
        files.set(path, String(content));
      },
      listFiles: async () => [...files].map(([path, text]) => ({ path, size: text.length })),
    },
    slides: { checkInOffice: async () => ({ state: 'not_checked', why: 'not installed' }) },
    images: { place: async () => ({ where: 'elsewhere' }) },
    toolNames: new Set(['web_search', 'fetch_page', 'execute_code']),
    agents: {
      firstSource: () => 1,
      loop: () => Promise.reject(new Error('There are no agents here')),
      research: () => Promise.reject(new Error('There are no agents here')),
    },
    passesThrough: options.passesThrough ?? (() => false),
  };
  let last = 0;
  return {
    ...{
      tools,
      dataDir,
      store,
      executions,
      catalogue,
      threads,
      registry,
      calls,
      events,
      files,
      asked: model.requests,
    },
    add: async (source, { granted, language = 'typescript' } = {}) => {
      const id = await catalogue.save(language, source);
      const { sha256, capabilities } = await catalogue.review(id);
      await catalogue.approve(id, { sha256, capabilities: granted ?? capabilities.after });
      registry.changed();
      return id;
    },
    kill: () => void waiting.splice(0),
    invoke: (skillId, params = {}, executionId) => {
      last += 1;
      const id = executionId ?? `run_1~call-${last}`;
      const step = branchStep(RUN_STEP, 'test', id);
      return executor.execute({ skillId, params, host: { ...host, step }, executionId: id });
    },
  };
}
