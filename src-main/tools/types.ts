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
import type { RunEgress } from '../egress/app-egress.ts';
import type { CallSubjects } from '../hitl/approval-rules.ts';
import type { SecondOpinion } from '../hitl/second-opinion.ts';
import type { InterruptBroker, Question } from '../hitl/types.ts';
import type { ChatModel, ModelReply } from '../models/types.ts';
import type { TaskSandbox } from '../sandbox/types.ts';
import type { SkillHostAgents } from '../skills/types.ts';
import type { InvokeNested } from './nested-calls.ts';

/** What a call may use of its run. The pipeline makes it; tools never reach further. */
export interface ToolContext {
  readonly runId: string;
  readonly threadId: string;
  readonly toolCallId: string;
  /** The answer of the model that the call is part of, counted in the run. */
  readonly round: number;
  readonly agent: AgentName;
  readonly approve: ApprovalPolicy;
  readonly sandbox: TaskSandbox;
  readonly egress: RunEgress;
  readonly broker: InterruptBroker;
  readonly signal: AbortSignal;
  /** Aborts when the run is to pause: questions let go, what is at work is not cut off. */
  readonly pause: AbortSignal;
  readonly emit: (event: RunEventDraft) => void;
  /** Does `work`, which writes to the database, in the transaction of the next events. Never throws. */
  readonly persist: (work: () => void) => void;
  /** Does `work` now, together with all events so far. Throws what storing throws. */
  readonly commit: (work: () => void) => void;
  readonly taint: Taint;
  /** Who else is asked about calls that leave this computer, once others' words are in the task. */
  readonly secondOpinion?: SecondOpinion | null;
  /** Makes a call on behalf of this one, through the pipeline, where this one is a script. */
  readonly invoke: InvokeNested;
  /** Hands a task to the research agent; null where the agent may not. */
  readonly delegate: Delegate | null;
  /** Models and agents for the skills of this run; null where there are none. */
  readonly skillAgents: SkillRunAgents | null;
  /**
   * Where the paths of the call's subjects lead, in their order: what it was cleared for, and all that it
   * may open, by `workspace.withoutLinks()`.
   */
  readonly paths: readonly string[];
  /** What the tool's own `before` found ahead of the first attempt at this call; null where it has none. */
  readonly before: unknown;
}

/** What skills are given of the run's models and agents. */
export interface SkillRunAgents extends SkillHostAgents {
  model(tier: ModelTier): Promise<ChatModel>;
  /** Tells what a request cost. */
  onReply(reply: ModelReply, model: ChatModel): void;
}

/** A task for another agent of the same run, and what it may take along. */
export interface Delegation {
  readonly task: string;
  /** Globs of files of the workspace. */
  readonly artifacts: readonly string[];
  /** Makes the hand-over findable when the call is made again after a crash. */
  readonly toolCallId: string;
  readonly signal: AbortSignal;
}

/** Lets another agent do a task, and gives its answer; a refusal (too many) is an answer that is not `ok`. */
export type Delegate = (delegation: Delegation) => Promise<ToolOutput>;

/** What looks at a call without making it. */
export type LookContext = Omit<ToolContext, 'invoke'>;

/** What of other parties came into the task, so that high risk is asked about again. */
export interface Taint {
  sources(): readonly string[];
  add(source: string): void;
}

/** What a tool gives back. `content` is what the model reads; the pipeline shortens it. */
export interface ToolOutput {
  readonly content: string;
  /** False tells the model that the call failed in an expected way. Defaults to true. */
  readonly ok?: boolean;
  readonly sandboxLevel?: SandboxLevel;
  /** Whose words the content holds, where it is not the person's and not the model's: a page, a peer. */
  readonly untrusted?: string;
  /** The same as JSON, for programs that made the call. */
  readonly data?: unknown;
  /** Events to emit after the call (step 5 of the pipeline): images, code results. */
  readonly events?: readonly RunEventDraft[];
}

export interface ToolDefinition<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly category: ToolCategory;
  readonly description: string;
  /** Said after the description to a model that is shown the tool: what there is of it now. */
  readonly listed?: () => string;
  readonly input: Input;
  /** Risk of a call, from its arguments where they matter. */
  readonly risk: RiskLevel | ((input: z.infer<Input>) => RiskLevel);
  /** The risk in the run that it is made in, where that is known; it only ever raises the other. */
  readonly riskIn?: (input: z.infer<Input>, context: Pick<ToolContext, 'egress'>) => RiskLevel;
  readonly effect: ToolEffect | ((input: z.infer<Input>) => ToolEffect);
  /** A pattern that covers more calls of the same kind, which a person may choose for a rule. */
  readonly widerPattern?: (input: z.infer<Input>) => string;
  /** What rules by path, host or command look at. */
  readonly subjects?: (input: z.infer<Input>) => CallSubjects;
  /** What a yes allows, in a sentence for the person; of the sandbox unless given. */
  readonly notice?: (input: z.infer<Input>) => string;
  /** The change of a file that the call would make, for the person who decides. */
  readonly preview?: (
    input: z.infer<Input>,
    context: LookContext,
  ) => Promise<NonNullable<Question['change']> | null>;
  /** Characters of a result that the model reads; the rest is cut in the middle. */
  readonly maxResultChars?: number;
  /** Gives words that the person has approved as they are: in a task with other people's words too, they are no data. */
  readonly givesReviewed?: boolean;
  /** One that was parked in its middle, by a question of its own, is made again from its beginning. */
  readonly restartsAfterParking?: boolean;
  readonly run: (input: z.infer<Input>, context: ToolContext) => Promise<ToolOutput>;
  /** What is there ahead of the effect, as JSON: kept with the intent, for an attempt after a crash. */
  readonly before?: (input: z.infer<Input>, context: LookContext) => Promise<unknown>;
  /**
   * For a `probeable` effect: looks whether a call that was cut off by a crash has happened, and gives
   * its result; null when it has not, so that it may be made again.
   */
  readonly probe?: (input: z.infer<Input>, context: LookContext) => Promise<ToolOutput | null>;
}
