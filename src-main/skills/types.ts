import type { z } from 'zod';
import type { ErrorCode } from '#contract/errors.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { SearchResult } from '#contract/search.ts';
import type { SkillMetadata } from '#contract/skills.ts';
import type {
  CodeLanguage,
  ModelTier,
  ResearchDepth,
  ResearchScenario,
} from '#contract/vocabulary.ts';
import type { ChatModel, ModelReply } from '../models/types.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** LangGraph, handed in so that no skill loads it at start. */
export type LangGraph = typeof import('../langgraph.ts');

/** What the nodes of a skill's graph share; plain JSON. */
export interface SkillState {
  readonly skillId: string;
  readonly inputParams: JsonObject;
  /** What the nodes found so far; what a node gives is laid over it. */
  readonly work: JsonObject;
  /** The result; checked against the output schema at the end. */
  readonly output: JsonObject;
}

/** A compiled graph over `SkillState`: takes the state, gives the state at its end. */
export interface SkillGraph {
  invoke(
    state: SkillState,
    config: { readonly recursionLimit: number },
  ): Promise<Pick<SkillState, 'output'>>;
}

/** A workflow that agents and people invoke by its id. It has no state of its own between invocations. */
export interface Skill {
  readonly metadata: SkillMetadata;
  /** Tools that it uses where they are there and does without where they are not; `requiredTools` are others. */
  readonly optionalTools?: readonly string[];
  /** The workflow of one execution, with what that may use. */
  createGraph(context: SkillContext, langgraph: LangGraph): SkillGraph;
}

/** How an execution ended, as data: whoever invoked it decides what follows. */
export type SkillResult =
  | { readonly ok: true; readonly executionId: string; readonly output: JsonObject }
  | { readonly ok: false; readonly executionId: string; readonly error: SkillFailure };

export interface SkillFailure {
  readonly code: ErrorCode;
  readonly message: string;
  /** For wrong parameters: what the skill takes. */
  readonly expectedParameters?: SkillMetadata['parameters'];
}

/**
 * What one execution of a skill may use. All of it is behind the app's guards (guardrails, way out,
 * sandbox, approvals), and what was done is remembered: a run that goes on after a crash is given the
 * results, and does nothing twice.
 */
export interface SkillContext {
  readonly executionId: string;
  readonly runId: string;
  readonly threadId: string;
  readonly skillId: string;
  /** 1 for a skill that an agent or the person invoked. */
  readonly depth: number;
  /** Aborts when the run is stopped, or the skill's time is up. */
  readonly signal: AbortSignal;
  /** Where the run is to rest, nothing new is begun: they throw what lets it. */
  readonly services: SkillServices;
  /** Tools of `requiredTools` and `optionalTools`, and no others: `call` throws `SKILL_TOOL_MISSING` for those. */
  readonly tools: SkillTools;
  /** Another skill; refused more than three deep and in a circle. Failure is a result. */
  invokeSkill(
    skillId: string,
    params: JsonObject,
    options?: { readonly signal?: AbortSignal },
  ): Promise<SkillResult>;
  /** Tells that a stage began, does `work`, and tells how it ended. `name` is snake case, once in an execution. */
  stage<Result>(name: string, description: string, work: () => Promise<Result>): Promise<Result>;
  /** Says in a sentence how far the stage at hand is. */
  progress(description: string): void;
  emit(event: RunEventDraft): void;
  /** The number of its first source: those of a run have one number each, and an execution a hundred. */
  firstSource(): number;
  /** Whether an error ends the run, or lets it rest: it must be thrown on, and no result made of it. */
  passesThrough(error: unknown): boolean;
  /** The result of `work` (JSON), which is done once for the execution, whatever happens to the process. */
  once<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

/** What the models of the app answer. Requests are remembered: the same one again costs nothing. */
export interface SkillModels {
  /** Text. Throws `MODEL_…`, and `SKILL_MODEL_ANSWER` for an empty answer, or one that was cut off. */
  ask(request: SkillPrompt): Promise<string>;
  /**
   * A value by schema, repaired once; throws `SKILL_MODEL_ANSWER` with what did not fit. Small models do
   * better with flat schemas and few fields.
   */
  askFor<Value>(request: SkillPrompt & { readonly schema: z.ZodType<Value> }): Promise<Value>;
  /** Characters of further text that fit into a request beside these words, with room for an answer. */
  materialChars(request: SkillPrompt): Promise<number>;
}

export interface SkillPrompt {
  /** Whose orders these are: the app's. Nothing that was read may stand here. */
  readonly system: string;
  /** The task with its material; what others wrote is delimited with `asData`. */
  readonly prompt: string;
  readonly tier?: ModelTier;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
}

export interface ReadPage {
  readonly url: string;
  readonly text: string;
}

export interface ProgramResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether it ran to its end with exit code 0. */
  readonly ok: boolean;
  /** False where nobody knows what became of it: the app ended meanwhile, or the sandbox went away. */
  readonly isKnown: boolean;
}

export interface SkillServices {
  readonly llm: SkillModels;
  readonly search: {
    /** Throws `SEARCH_FAILED`; what was found is the words of others. */
    search(query: string, options?: { readonly limit?: number }): Promise<readonly SearchResult[]>;
  };
  readonly fetch: {
    /** A page, or a `library:` document, as text. Throws `FETCH_FAILED`, `EGRESS_DENIED`, `TOOL_DENIED`. */
    page(url: string): Promise<ReadPage>;
  };
  readonly sandbox: {
    /** Runs a program; asked about as the agent's own. Throws `TOOL_DENIED`. */
    run(language: CodeLanguage, code: string): Promise<ProgramResult>;
    /** Text of a file of the workspace. Throws `NOT_FOUND`. */
    readFile(path: string): Promise<string>;
    /** The bytes of a file of the workspace. Throws `NOT_FOUND`, `FILE_TOO_LARGE`. */
    readBytes(path: string): Promise<Uint8Array>;
    /** Puts Python modules of the app (`resources/sandbox`) into `.hyperagent` of the workspace, for programs to import. */
    addModules(names: readonly string[]): Promise<void>;
    writeFile(path: string, content: string | Uint8Array): Promise<void>;
    /** Files below a folder of the workspace; of all of it unless one is given. */
    listFiles(
      folder?: string,
    ): Promise<readonly { readonly path: string; readonly size: number }[]>;
  };
  readonly agents: SkillAgents;
}

/** A reasoning loop with tools, and research; both in a lane of their own. */
export interface SkillAgents {
  /** Lets a model work with tools of `requiredTools` and `optionalTools` until it answers. */
  loop(request: {
    readonly system: string;
    readonly prompt: string;
    readonly tools: readonly string[];
    readonly maxRounds: number;
  }): Promise<{ readonly answer: string; readonly calls: readonly LoopCall[] }>;
  research(request: {
    readonly question: string;
    readonly depth: ResearchDepth | null;
    readonly scenario: ResearchScenario | null;
  }): Promise<SkillResearch>;
}

export interface LoopCall {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly status: 'ok' | 'error' | 'denied' | 'cancelled';
  readonly content: string;
}

export interface SkillResearch {
  readonly title: string;
  readonly markdown: string;
  /** Of the report in the workspace; null where that did not take it. */
  readonly path: string | null;
  readonly sources: readonly {
    readonly index: number;
    readonly url: string;
    readonly title: string;
  }[];
}

export interface SkillTools {
  /** Whether the skill may call it: it names it, and it is there. */
  has(name: string): boolean;
  /** What a tool says; its failure is a result that is not `ok`. */
  call(name: string, given: JsonObject): Promise<ToolAnswer>;
}

export interface ToolAnswer {
  readonly ok: boolean;
  readonly status: LoopCall['status'];
  readonly content: string;
  /** The same as JSON, where the tool gives it. */
  readonly data: unknown;
}

/** What the app gives to skills of one run: the other side of `SkillContext`. Made by the caller of the executor. */
export interface SkillHost {
  readonly runId: string;
  readonly threadId: string;
  /** The call that the execution is the result of. */
  readonly toolCallId: string;
  readonly signal: AbortSignal;
  /** Aborts when the run is to rest: what is at work is not cut off, and nothing new is begun. */
  readonly pause?: AbortSignal;
  emit(event: RunEventDraft): void;
  /** Does `work`, which writes to the database, in the transaction of the next events. Never throws. */
  persist(work: () => void): void;
  /** Does `work` now, together with all events so far. Throws what storing throws. */
  commit(work: () => void): void;
  /** The model of a tier, guarded. */
  model(tier: ModelTier): Promise<ChatModel>;
  /** Tells what a request cost. */
  onReply(reply: ModelReply, model: ChatModel): void;
  /** A tool call of the execution, through the pipeline, in the place of this number within the outer call. */
  call(
    call: { readonly name: string; readonly arguments: JsonObject },
    place: number,
    options: { readonly signal: AbortSignal; readonly clock: WorkClock },
  ): Promise<ToolAnswer>;
  readonly files: Pick<
    SkillServices['sandbox'],
    'readFile' | 'readBytes' | 'writeFile' | 'listFiles'
  >;
  /** Names of the tools that there are. */
  readonly toolNames: ReadonlySet<string>;
  readonly agents: SkillHostAgents;
  /** Whether an error ends the run, or lets it rest: no result may be made of it. */
  passesThrough(error: unknown): boolean;
}

/** Time that a skill works; it stands still while a person is waited for. */
export interface WorkClock {
  waitFor<Result>(person: () => Promise<Result>): Promise<Result>;
}

export interface SkillHostAgents {
  /** The first of a hundred numbers of sources, which are those of this key alone; the same each time. */
  firstSource(key: string): number;
  loop(
    request: Parameters<SkillAgents['loop']>[0],
    options: { readonly key: string; readonly signal: AbortSignal; readonly clock: WorkClock },
  ): ReturnType<SkillAgents['loop']>;
  research(
    request: Parameters<SkillAgents['research']>[0],
    options: { readonly key: string; readonly signal: AbortSignal; readonly clock: WorkClock },
  ): ReturnType<SkillAgents['research']>;
}
