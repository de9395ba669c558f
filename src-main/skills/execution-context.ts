import { AppError } from '#contract/errors.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { SearchResult } from '#contract/search.ts';
import type { SkillExecutionEvent, SkillMetadata } from '#contract/skills.ts';
import type { CodeLanguage } from '#contract/vocabulary.ts';
import type { Clock } from '../base/clock.ts';
import { branchStep, numberedStep, type StepPath } from '../base/step-path.ts';
import type { SkillExecutionStore } from '../storage/skill-types.ts';
import { toolNameOf } from './required-tools.ts';
import type { SkillJournal } from './skill-journal.ts';
import { skillModels } from './skill-models.ts';
import type {
  JsonObject,
  ProgramResult,
  ReadPage,
  SkillAgents,
  SkillContext,
  SkillHost,
  SkillResult,
  SkillServices,
  SkillTools,
  ToolAnswer,
  WorkClock,
} from './types.ts';

export interface ExecutionParts {
  readonly executionId: string;
  /** Its step: of its call, or of the piece of work of its parent. */
  readonly step: StepPath;
  readonly metadata: SkillMetadata;
  readonly optionalTools: readonly string[];
  /** The text of a Python module of the app. */
  readonly readModule: (name: string) => Promise<string>;
  readonly depth: number;
  readonly host: SkillHost;
  readonly journal: SkillJournal;
  readonly executions: SkillExecutionStore;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly workClock: WorkClock;
  /** Events that an earlier process emitted; they are not emitted again. */
  readonly emitted: readonly SkillExecutionEvent[];
  readonly invoke: (
    skillId: string,
    params: JsonObject,
    child: {
      readonly executionId: string;
      readonly step: StepPath;
      readonly signal: AbortSignal;
    },
  ) => Promise<SkillResult>;
}

/** How an execution ended, and the write that stores it. */
export interface ExecutionEnd {
  readonly status: 'completed' | 'failed';
  readonly description: string;
  readonly finish: () => void;
}

/** Everything that one execution may use, on top of the host: every effect is numbered, journalled and reported. */
export class ExecutionContext implements SkillContext {
  readonly #parts: ExecutionParts;
  readonly services: SkillServices;
  readonly tools: SkillTools;
  /** The tools that it may call, by the names of the pipeline. */
  readonly #declared: ReadonlySet<string>;
  readonly #emitted = new Map<string, number>();
  readonly #stages = new Map<string, string>();
  readonly #children = new Set<Promise<unknown>>();
  #stage: string | null = null;
  #isOver = false;

  constructor(parts: ExecutionParts) {
    this.#parts = parts;
    const { host, journal, signal, metadata, optionalTools } = parts;
    this.#declared = new Set([...metadata.requiredTools, ...optionalTools].map(toolNameOf));
    for (const { name, status, description } of parts.emitted) {
      const key = `${name}\n${status}\n${description}`;
      this.#emitted.set(key, (this.#emitted.get(key) ?? 0) + 1);
    }
    this.tools = {
      has: (name) => this.#names(name) && host.toolNames.has(toolNameOf(name)),
      call: (name, given) => {
        if (this.#names(name)) return this.#call(toolNameOf(name), given);
        return Promise.reject(notDeclared(metadata.id, name));
      },
    };
    this.services = {
      llm: skillModels({ host, journal, signal }),
      search: { search: (query, { limit } = {}) => this.#search(query, limit) },
      fetch: { page: (url) => this.#page(url) },
      sandbox: {
        run: (language, code) => this.#run(language, code),
        readFile: (path) => host.files.readFile(path),
        readBytes: (path) => host.files.readBytes(path),
        addModules: (names) => this.#addModules(names),
        writeFile: (path, content) => {
          // Store what was read before: a resumed execution would read what this one wrote.
          host.commit(() => undefined);
          return host.files.writeFile(path, content);
        },
        listFiles: (folder) => host.files.listFiles(folder),
      },
      slides: { checkInOffice: (path) => host.slides.checkInOffice(path, signal) },
      images: { place: () => host.images.place(signal) },
      agents: this.#agents(),
    };
  }

  get executionId(): string {
    return this.#parts.executionId;
  }
  get runId(): string {
    return this.#parts.host.runId;
  }
  get threadId(): string {
    return this.#parts.host.threadId;
  }
  get skillId(): string {
    return this.#parts.metadata.id;
  }
  get depth(): number {
    return this.#parts.depth;
  }
  get signal(): AbortSignal {
    return this.#parts.signal;
  }

  invokeSkill(
    skillId: string,
    params: JsonObject,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<SkillResult> {
    const { journal, invoke, executionId, step } = this.#parts;
    this.signal.throwIfAborted();
    const child = journal.number('skill', { skillId, params }, (number) =>
      invoke(skillId, params, {
        executionId: `${executionId}.${number}`,
        step: numberedStep(step, number),
        signal: signal === undefined ? this.signal : AbortSignal.any([this.signal, signal]),
      }),
    );
    const settled = child.catch(() => undefined).finally(() => this.#children.delete(settled));
    this.#children.add(settled);
    return child;
  }

  async stage<Result>(
    name: string,
    description: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    this.signal.throwIfAborted();
    const outer = this.#stage;
    this.#stage = name;
    this.#stages.set(name, description);
    this.report('running', description, { stage: name });
    try {
      const result = await work();
      // A stage that ends after an abort did not finish its work.
      this.#endStage(name, this.signal.aborted ? 'failed' : 'completed');
      return result;
    } catch (error) {
      // When the run pauses, the stage is not over.
      if (!this.#parts.host.passesThrough(error)) this.#endStage(name, 'failed');
      throw error;
    } finally {
      this.#stage = outer;
    }
  }

  /**
   * Stops what the execution left running, waits for its children, and reports the end of its open stages
   * and its own, in one write with `finish`.
   */
  async end(stop: AbortController, { status, description, finish }: ExecutionEnd): Promise<void> {
    stop.abort(new AppError('CANCELLED', 'The skill that asked for it has ended.'));
    await Promise.all(this.#children);
    for (const name of [...this.#stages.keys()].reverse()) this.#endStage(name, 'failed');
    this.#isOver = true;
    this.report(status, description, { finish });
  }

  #endStage(name: string, status: 'completed' | 'failed'): void {
    const description = this.#stages.get(name);
    // The stage already ended with the execution, or stays open because the run is stopped.
    if (description === undefined || this.#isOver || this.#parts.host.signal.aborted) return;
    this.#stages.delete(name);
    this.report(status, description, { stage: name });
  }

  progress(description: string): void {
    if (this.signal.aborted) return;
    this.report('running', description, { stage: this.#stage });
  }

  emit(event: RunEventDraft): void {
    // After the end there is nothing to emit events about.
    if (!this.signal.aborted) this.#parts.host.emit(event);
  }

  firstSource(): number {
    return this.#parts.host.agents.firstSource(branchStep(this.#parts.step, 'sources'));
  }

  passesThrough(error: unknown): boolean {
    return this.#parts.host.passesThrough(error);
  }

  once<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    return this.#parts.journal.do('once', key, work);
  }

  /** Emits and stores an event of the execution, or of one of its stages. */
  report(
    status: 'running' | 'completed' | 'failed',
    description: string,
    { stage = null, finish }: { readonly stage?: string | null; readonly finish?: () => void } = {},
  ): void {
    const { host, executions, executionId, clock, metadata } = this.#parts;
    const name = `skill_${metadata.id}${stage === null ? '' : `.${stage}`}`;
    const skill = { id: metadata.id, executionId, toolCallId: host.toolCallId };
    const key = `${name}\n${status}\n${description}`;
    const before = this.#emitted.get(key) ?? 0;
    if (before > 0) {
      this.#emitted.set(key, before - 1);
      return;
    }
    const at = clock.now();
    host.persist(() => {
      executions.addEvent(executionId, { at, name, status, description });
      finish?.();
    });
    host.emit({ type: 'stage', name, status, description, skill });
  }

  #names(tool: string): boolean {
    return this.#declared.has(toolNameOf(tool));
  }

  async #addModules(names: readonly string[]): Promise<void> {
    const { host, readModule } = this.#parts;
    for (const name of names) {
      await host.files.writeFile(`.hyperagent/${name}`, await readModule(name));
    }
  }

  #call(name: string, given: JsonObject): Promise<ToolAnswer> {
    const { journal, host, signal, step, workClock: clock } = this.#parts;
    signal.throwIfAborted();
    return journal.number('tool', { name, given }, (number) =>
      host.call({ name, arguments: given }, numberedStep(step, number), { signal, clock }),
    );
  }

  async #search(query: string, limit = 8): Promise<readonly SearchResult[]> {
    const answer = await this.#call('web_search', { query, limit });
    if (!answer.ok) throw refusal(answer, 'SEARCH_FAILED');
    if (Array.isArray(answer.data)) return answer.data as readonly SearchResult[];
    throw withheld(answer, 'SEARCH_FAILED');
  }

  async #page(url: string): Promise<ReadPage> {
    const answer = await this.#call('fetch_page', { url });
    if (!answer.ok) throw refusal(answer, 'FETCH_FAILED');
    if (typeof answer.data === 'string') return { url, text: answer.data };
    throw withheld(answer, 'FETCH_FAILED');
  }

  async #run(language: CodeLanguage, code: string): Promise<ProgramResult> {
    const answer = await this.#call('execute_code', { language, code });
    if (answer.status === 'denied') throw refusal(answer, 'TOOL_FAILED');
    // A program that a crash interrupted, or that never began, left no result.
    if (answer.data === null) {
      return { exitCode: null, stdout: '', stderr: answer.content, ok: false, isKnown: false };
    }
    const { exit_code, stdout, stderr, outcome } = answer.data as {
      readonly exit_code: number | null;
      readonly stdout: string;
      readonly stderr: string;
      readonly outcome?: string;
    };
    const isKnown = outcome !== 'sandbox_lost' && outcome !== 'cancelled';
    return { exitCode: exit_code, stdout, stderr, ok: answer.ok, isKnown };
  }

  #agents(): SkillAgents {
    const { host, journal, signal, workClock: clock, step, metadata } = this.#parts;
    const branch = (number: number, kind: string): StepPath =>
      branchStep(numberedStep(step, number), kind);
    return {
      loop: (request) => {
        const alien = request.tools.find((name) => !this.#names(name));
        if (alien !== undefined) return Promise.reject(notDeclared(metadata.id, alien));
        const named = { ...request, tools: request.tools.map(toolNameOf) };
        return journal.do('loop', request, (number) =>
          host.agents.loop(named, { step: branch(number, 'loop'), signal, clock }),
        );
      },
      research: (request) =>
        journal.do('research', request, (number) =>
          host.agents.research(request, { step: branch(number, 'research'), signal, clock }),
        ),
    };
  }
}

function notDeclared(skillId: string, name: string): AppError {
  return new AppError(
    'SKILL_TOOL_MISSING',
    `The skill ${skillId} may not use ${name}: it is neither in requiredTools nor in optionalTools.`,
  );
}

function refusal(
  { status, content }: ToolAnswer,
  code: 'SEARCH_FAILED' | 'FETCH_FAILED' | 'TOOL_FAILED',
): AppError {
  return new AppError(status === 'denied' ? 'TOOL_DENIED' : code, content);
}

/** For an answer without data: its content says why the guardrails withheld it. */
function withheld({ content }: ToolAnswer, code: 'SEARCH_FAILED' | 'FETCH_FAILED'): AppError {
  return new AppError(code, `The guardrails withheld it. ${content}`);
}
