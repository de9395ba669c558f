import type { z } from 'zod';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type {
  AgentName,
  ApprovalPolicy,
  ModelTier,
  RiskLevel,
  SandboxLevel,
  ToolCategory,
  ToolEffect,
} from '#contract/vocabulary.ts';
import type { StepPath } from '../base/step-path.ts';
import type { RunEgress } from '../egress/app-egress.ts';
import type { CallSubjects } from '../hitl/approval-rules.ts';
import type { SecondOpinion } from '../hitl/second-opinion.ts';
import type { InterruptBroker, Question } from '../hitl/types.ts';
import type { PictureRef } from '../models/pictures/picture-ref.ts';
import type { ChatModel, ModelReply } from '../models/types.ts';
import type { RunScope } from '../run-scope.ts';
import type { TaskSandbox } from '../sandbox/types.ts';
import type { SkillHostAgents } from '../skills/types.ts';
import type { ClearNested, InvokeNested } from './nested-calls.ts';

/** The scope of a run, with what its work may use and must respect. */
export interface WorkScope extends RunScope {
  readonly approve: ApprovalPolicy;
  readonly sandbox: TaskSandbox;
  /** The network egress of the run. */
  readonly egress: RunEgress;
  readonly broker: InterruptBroker;
  readonly taint: Taint;
  /** Second check of calls that leave this computer, once third-party text is in the task; null for none. */
  readonly secondOpinion: SecondOpinion | null;
}

/** What a call may use of its run. The pipeline creates it; tools have nothing else. */
export interface ToolContext extends WorkScope {
  readonly toolCallId: string;
  /** Where the call is in the work of the run. */
  readonly step: StepPath;
  /** The step of the model's answer that contains the call. */
  readonly answer: StepPath;
  readonly agent: AgentName;
  /** Makes a nested call through the pipeline, where this call is a script. */
  readonly invoke: InvokeNested;
  /** Asks for a nested call without making it: for a skill that a skill starts. */
  readonly clear: ClearNested;
  /** Hands a task to the research agent; null where the agent may not. */
  readonly delegate: Delegate | null;
  /** Whether `make_plan` is accepted: this call is the first of a task whose route is uncertain. */
  readonly mayPlan?: boolean;
  /** Models and agents for the skills of this run; null where there are none. */
  readonly skillAgents: SkillRunAgents | null;
  /** Numbers what a call finds; null or absent for calls of research and skills, which number their own. */
  readonly sources?: RunSources | null;
  /**
   * Resolved paths of the call's subjects, in their order: what it was cleared for, and the only paths that it
   * may open, through `workspace.withoutLinks()`.
   */
  readonly paths: readonly string[];
  /** Whether the user, or one of their rules, has seen exactly this call; otherwise its level let it run. */
  readonly isApproved: boolean;
  /** What the tool itself found in `inRun`; absent where it has none. */
  readonly seen?: unknown;
  /** Whether the model that called sees pictures; absent where no model did. */
  readonly modelSees?: boolean;
  /** Its real window, in tokens; null or absent if unknown. */
  readonly windowTokens?: number | null;
  /** The result of the tool's own `before` from before the first attempt; null where it has none. */
  readonly before: unknown;
}

/** The part of a call's context by which a tool judges the call, before anybody is asked about it. */
export type InRunContext = Pick<ToolContext, 'egress' | 'threadId'>;

/** What a tool found about a call in its run, once: what is asked about is what runs. */
export interface CallInRun {
  /** It can only raise the tool's own. */
  readonly risk: RiskLevel;
  /** Added to the subjects that the arguments have. */
  readonly subjects?: CallSubjects;
  /** For a high risk: how the call would leave the sandbox, in a sentence; by default it sends to its hosts. */
  readonly exit?: string;
  /** In place of the tool's own. */
  readonly question?: string;
  readonly notice?: string;
  /** What the call was judged by: `run` gets it back as `context.seen`. */
  readonly seen?: unknown;
}

/** What a call found, or read. */
export interface FoundSource {
  readonly url: string;
  readonly title: string;
  readonly snippet?: string;
  /** A search provider, or `library`. */
  readonly foundBy?: string;
  readonly isRead?: boolean;
}

/** The numbered sources of a run. */
export interface RunSources {
  /**
   * The numbers of these sources, in their order, and the events that show them: an address has the same number in
   * the whole run. Null for one that gets none, because there are too many.
   */
  add(
    found: readonly FoundSource[],
    toolCallId: string,
  ): {
    readonly numbers: readonly (number | null)[];
    readonly events: readonly Extract<RunEventDraft, { type: 'source' }>[];
  };
}

/** The run's models and agents, for skills. */
export interface SkillRunAgents extends SkillHostAgents {
  model(tier: ModelTier): Promise<ChatModel>;
  /** A model that sees pictures. Throws `MODEL_LACKS_CAPABILITY` where none is known. */
  vision(): Promise<ChatModel>;
  /** Reports a reply, for its cost. */
  onReply(reply: ModelReply, model: ChatModel): void;
}

/** A task for another agent of the same run, and what it may take along. */
export interface Delegation {
  readonly task: string;
  /** Globs of files of the workspace; null takes the newest texts, tables and programs along. */
  readonly artifacts: readonly string[] | null;
  /** Identifies the delegation when the call is repeated after a crash. */
  readonly toolCallId: string;
  readonly signal: AbortSignal;
}

/** Lets another agent do a task, and returns its answer; a refusal (too many) is an answer that is not `ok`. */
export type Delegate = (delegation: Delegation) => Promise<ToolOutput>;

/** Context for inspecting a call without making it. */
export type LookContext = Omit<ToolContext, 'invoke' | 'clear' | 'isApproved'>;

/** Third-party sources in the task; while there are any, the user is asked again about high risk. */
export interface Taint {
  sources(): readonly string[];
  add(source: string): void;
}

/** The result of a tool. `content` is what the model reads; the pipeline shortens it. */
export interface ToolOutput {
  readonly content: string;
  /** False tells the model that the call failed in an expected way. Defaults to true. */
  readonly ok?: boolean;
  /** It failed for a reason of the moment: a read is tried again. */
  readonly transient?: boolean;
  readonly sandboxLevel?: SandboxLevel;
  /** The source of the content where it is neither the user nor the model: a page, a peer. */
  readonly untrusted?: string;
  /** The same as JSON, for programs that made the call. */
  readonly data?: unknown;
  /** Pictures that belong to the result, kept with the task; models that see are sent them. */
  readonly pictures?: readonly PictureRef[];
  /** The pictures show only what the task itself made: they bring in nobody's words. */
  readonly ownPictures?: boolean;
  /** Events to emit after the call (step 5 of the pipeline): images, code results. */
  readonly events?: readonly RunEventDraft[];
}

export interface ToolDefinition<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly category: ToolCategory;
  readonly description: string;
  /** Text after the description: the items that are available now, such as skills. */
  readonly listed?: () => string;
  readonly input: Input;
  /** Risk of a call, from its arguments where they matter. */
  readonly risk: RiskLevel | ((input: z.infer<Input>) => RiskLevel);
  /** What a call is in the current run, as far as its arguments do not say it. */
  readonly inRun?: (input: z.infer<Input>, context: InRunContext) => CallInRun;
  readonly effect: ToolEffect | ((input: z.infer<Input>) => ToolEffect);
  /** A pattern that covers more calls of the same kind, which the user may choose for a rule. */
  readonly widerPattern?: (input: z.infer<Input>) => string;
  /** What rules by path, host or command match. */
  readonly subjects?: (input: z.infer<Input>) => CallSubjects;
  /** The question that asks for approval, such as "Run this command?"; by default it names the tool. */
  readonly question?: (input: z.infer<Input>) => string;
  /** What an approval allows, in a sentence for the user; by default what the sandbox allows. */
  readonly notice?: (input: z.infer<Input>) => string;
  /** The change of a file that the call would make, for the user who decides. */
  readonly preview?: (
    input: z.infer<Input>,
    context: LookContext,
  ) => Promise<NonNullable<Question['change']> | null>;
  /** Whether a call changes nothing that other calls of its answer could see: such neighbours run side by side. */
  readonly isIndependent?: (input: z.infer<Input>) => boolean;
  /** Its hosts are where it looks or points: it sends nothing there by itself. */
  readonly isLook?: boolean;
  /** Characters of a result that the model reads; the rest is cut in the middle. */
  readonly maxResultChars?: number;
  /** Its results are JSON, and stay JSON when they are shortened. */
  readonly givesJson?: boolean;
  /** Hands a whole job over, which does what its own calls may do: asked about where every call is. */
  readonly isJob?: boolean;
  /** Returns text that the user has approved: it is not marked as data, even in a task with third-party text. */
  readonly givesReviewed?: boolean;
  /** A call that its own question parked halfway is repeated from the beginning. */
  readonly restartsAfterParking?: boolean;
  readonly run: (input: z.infer<Input>, context: ToolContext) => Promise<ToolOutput>;
  /** The state before the effect, as JSON: stored with the intent, for an attempt after a crash. */
  readonly before?: (input: z.infer<Input>, context: LookContext) => Promise<unknown>;
  /**
   * For a `probeable` effect: checks whether a call that a crash interrupted has happened, and returns its
   * result; null when it has not, so that it may be repeated.
   */
  readonly probe?: (input: z.infer<Input>, context: LookContext) => Promise<ToolOutput | null>;
}
