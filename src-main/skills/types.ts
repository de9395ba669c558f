import type { z } from 'zod';
import type { ErrorCode } from '#contract/errors.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { SearchResult } from '#contract/search.ts';
import type { SkillMetadata } from '#contract/skills.ts';
import type { OfficeCheck } from '#contract/slides.ts';
import type {
  CodeLanguage,
  ModelTier,
  ResearchDepth,
  ResearchScenario,
} from '#contract/vocabulary.ts';
import type { StepPath } from '../base/step-path.ts';
import type { ImagePlace } from '../images/types.ts';
import type { ChatModel, ModelReply } from '../models/types.ts';
import type { RunScope } from '../run-scope.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** LangGraph, passed in so that no skill loads it at startup. */
export type LangGraph = typeof import('../langgraph.ts');

/** What the nodes of a skill's graph share; plain JSON. */
export interface SkillState {
  readonly skillId: string;
  readonly inputParams: JsonObject;
  /** The findings so far; each node's are merged over them. */
  readonly work: JsonObject;
  /** The result; checked against the output schema at the end. */
  readonly output: JsonObject;
}

/** A compiled graph over `SkillState`: takes the initial state, returns the final one. */
export interface SkillGraph {
  invoke(
    state: SkillState,
    config: { readonly recursionLimit: number },
  ): Promise<Pick<SkillState, 'output'>>;
}

/** A workflow that agents and users invoke by its id. It has no state of its own between invocations. */
export interface Skill {
  readonly metadata: SkillMetadata;
  /** Tools that it uses where available, beside its `requiredTools`. */
  readonly optionalTools?: readonly string[];
  /** The workflow of one execution. `context` is everything that it may use. */
  createGraph(context: SkillContext, langgraph: LangGraph): SkillGraph;
}

/** How an execution ended, as data: the caller decides what follows. */
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
 * What one execution of a skill may use. All of it is behind the app's guards (guardrails, egress policy,
 * sandbox, approvals), and results are recorded: a run that resumes after a crash gets them again, and
 * nothing is done twice.
 */
export interface SkillContext {
  readonly executionId: string;
  readonly runId: string;
  readonly threadId: string;
  readonly skillId: string;
  /** 1 for a skill that an agent or the user invoked. */
  readonly depth: number;
  /** Aborts when the run is stopped, or the skill's time is up. */
  readonly signal: AbortSignal;
  /** While the run pauses, nothing new begins: they throw the error that pauses it. */
  readonly services: SkillServices;
  /**
   * Only tools of `requiredTools` and `optionalTools`: `call` throws `SKILL_TOOL_MISSING` for others. A tool of a
   * connector is named `mcp:server/tool`, or as models know it.
   */
  readonly tools: SkillTools;
  /** Invokes another skill; refused more than three levels deep and in cycles. A failure is a result. */
  invokeSkill(
    skillId: string,
    params: JsonObject,
    options?: { readonly signal?: AbortSignal },
  ): Promise<SkillResult>;
  /** Runs `work` as a stage, and emits its begin and end. `name` is snake case and unique in an execution. */
  stage<Result>(name: string, description: string, work: () => Promise<Result>): Promise<Result>;
  /** Emits the progress of the current stage, in a sentence. */
  progress(description: string): void;
  emit(event: RunEventDraft): void;
  /** The number of its first source: sources are numbered per run, and each execution has a hundred numbers. */
  firstSource(): number;
  /** Whether an error ends or pauses the run: then it must be rethrown, never turned into a result. */
  passesThrough(error: unknown): boolean;
  /** The result of `work` (JSON), which is done once per execution, even across restarts of the app. */
  once<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

/** The app's models. Answers are recorded: the same request again costs nothing. */
export interface SkillModels {
  /** Returns text. Throws `MODEL_…`, and `SKILL_MODEL_ANSWER` for an empty or truncated answer. */
  ask(request: SkillPrompt): Promise<string>;
  /**
   * Returns a value by schema, repaired once; throws `SKILL_MODEL_ANSWER` with what did not fit. Small models
   * do better with flat schemas and few fields.
   */
  askFor<Value>(request: SkillPrompt & { readonly schema: z.ZodType<Value> }): Promise<Value>;
  /** Characters that still fit into a request beside this text, with room for an answer. */
  materialChars(request: SkillPrompt): Promise<number>;
}

export interface SkillPrompt {
  /** The app's own instructions. Must not contain anything that was read. */
  readonly system: string;
  /** The task with its material; third-party text is delimited with `asData`. */
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
  /** False where the outcome is unknown: the app ended meanwhile, or the sandbox was lost. */
  readonly isKnown: boolean;
}

export interface SkillServices {
  readonly llm: SkillModels;
  readonly search: {
    /** Throws `SEARCH_FAILED`; results are third-party text. */
    search(query: string, options?: { readonly limit?: number }): Promise<readonly SearchResult[]>;
  };
  readonly fetch: {
    /** A page, or a `library:` document, as text. Throws `FETCH_FAILED`, `EGRESS_DENIED`, `TOOL_DENIED`. */
    page(url: string): Promise<ReadPage>;
  };
  readonly sandbox: {
    /** Runs a program, with approval as for the agent's own. Throws `TOOL_DENIED`. */
    run(language: CodeLanguage, code: string): Promise<ProgramResult>;
    /** Text of a file of the workspace. Throws `NOT_FOUND`. */
    readFile(path: string): Promise<string>;
    /** The bytes of a file of the workspace. Throws `NOT_FOUND`, `FILE_TOO_LARGE`. */
    readBytes(path: string): Promise<Uint8Array>;
    /** Puts modules of the app (`resources/sandbox`) into `.hyperagent` of the workspace, for programs to import. */
    addModules(names: readonly string[]): Promise<void>;
    writeFile(path: string, content: string | Uint8Array): Promise<void>;
    /** Files below a folder of the workspace; by default of the whole workspace. */
    listFiles(
      folder?: string,
    ): Promise<readonly { readonly path: string; readonly size: number }[]>;
  };
  readonly slides: {
    /** A presentation that this app made as LibreOffice shows it. What hinders that is why it is not checked. */
    checkInOffice(path: string): Promise<OfficeCheck>;
  };
  readonly images: {
    /** Where a picture would be made now. Only servers on this computer are asked. */
    place(): Promise<ImagePlace>;
  };
  readonly agents: SkillAgents;
}

/** A reasoning loop with tools, and research; both in a branch of their own. */
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
  /** Of the report in the workspace; null where it could not be saved. */
  readonly path: string | null;
  readonly sources: readonly {
    readonly index: number;
    readonly url: string;
    readonly title: string;
  }[];
}

export interface SkillTools {
  /** Whether the skill may call it: it is declared and available. */
  has(name: string): boolean;
  /** The tool's answer; a failure is a result that is not `ok`. */
  call(name: string, given: JsonObject): Promise<ToolAnswer>;
}

export interface ToolAnswer {
  readonly ok: boolean;
  readonly status: LoopCall['status'];
  readonly content: string;
  /** The same as JSON, where the tool provides it. */
  readonly data: unknown;
}

/** What the app provides to the skills of one run, behind `SkillContext`. The executor's caller creates it. */
export interface SkillHost extends RunScope {
  /** The call that started the execution. */
  readonly toolCallId: string;
  /** Its step. */
  readonly step: StepPath;
  /** The model of a tier, guarded. */
  model(tier: ModelTier): Promise<ChatModel>;
  /** Reports a reply, for its cost. */
  onReply(reply: ModelReply, model: ChatModel): void;
  /** Makes a tool call through the pipeline, at this step. */
  call(
    call: { readonly name: string; readonly arguments: JsonObject },
    step: StepPath,
    options: { readonly signal: AbortSignal; readonly clock: WorkClock },
  ): Promise<ToolAnswer>;
  /**
   * Asks for a skill that a skill starts, by its own risk, and returns what the user allows: they may have changed it.
   * Throws as a call that is not allowed does, and `RunParked`.
   */
  approveChild(
    child: { readonly skillId: string; readonly params: JsonObject },
    step: StepPath,
    options: { readonly signal: AbortSignal; readonly clock: WorkClock },
  ): Promise<{ readonly skillId: string; readonly params: JsonObject }>;
  readonly files: Pick<
    SkillServices['sandbox'],
    'readFile' | 'readBytes' | 'writeFile' | 'listFiles'
  >;
  readonly slides: {
    /** As `SkillServices` has it. */
    checkInOffice(path: string, signal: AbortSignal): Promise<OfficeCheck>;
  };
  readonly images: {
    /** As `SkillServices` has it. */
    place(signal: AbortSignal): Promise<ImagePlace>;
  };
  /** Names of the available tools. */
  readonly toolNames: ReadonlySet<string>;
  readonly agents: SkillHostAgents;
  /** Whether an error ends or pauses the run: it must not become a result. */
  passesThrough(error: unknown): boolean;
}

/** Working time of a skill; it is paused while the user's answer is awaited. */
export interface WorkClock {
  waitFor<Result>(answer: () => Promise<Result>): Promise<Result>;
}

export interface SkillHostAgents {
  /** The first of a hundred source numbers reserved for this step; the same each time. */
  firstSource(step: StepPath): number;
  loop(
    request: Parameters<SkillAgents['loop']>[0],
    options: { readonly step: StepPath; readonly signal: AbortSignal; readonly clock: WorkClock },
  ): ReturnType<SkillAgents['loop']>;
  research(
    request: Parameters<SkillAgents['research']>[0],
    options: { readonly step: StepPath; readonly signal: AbortSignal; readonly clock: WorkClock },
  ): ReturnType<SkillAgents['research']>;
}
