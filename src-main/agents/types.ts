import type {
  ExecutionMode,
  ModelTier,
  ResearchDepth,
  ResearchScenario,
} from '#contract/vocabulary.ts';
import type { StepPath } from '../base/step-path.ts';
import type { ChatMessage, ChatModel, ToolCall } from '../models/types.ts';
import type { DraftedPlan } from '../tools/definitions/make-plan.ts';
import type { CallResult } from '../tools/tool-pipeline.ts';
import type { Delegate, WorkScope } from '../tools/types.ts';
import type { ConversationFitter } from './context/conversation-fitter.ts';
import type { ConversationPart } from './transcript.ts';

/** What an agent needs from its run. */
export interface AgentContext extends WorkScope {
  readonly executionMode: ExecutionMode;
  readonly model: ChatModel;
  /** The model of a tier, opened on first use; the task's own model if the tier has none. */
  readonly tier: (tier: ModelTier) => Promise<ChatModel>;
  /** A model that sees pictures. Throws `MODEL_LACKS_CAPABILITY` where none is known. */
  readonly vision: () => Promise<ChatModel>;
  /** Fits each request to the context window of the model. */
  readonly fitter: ConversationFitter;
  /** A fitter for another conversation on the same model, which starts like this one. */
  readonly openFitter: () => ConversationFitter;
  /**
   * Adds to the conversation of the task as soon as it is final: a message, or a round together with the
   * results of all its calls, so that a failed run leaves no call without a result.
   */
  readonly record: (part: ConversationPart) => void;
  /** Which branch of the run this is: the run itself, a step of its plan, a hand-over. */
  readonly branch: StepPath;
  /** Hands a task to the research agent; null if the agent may not. */
  readonly delegate: Delegate | null;
  /** Whether the first call of the run may be a plan, which ends the agent's work: see `AgentOutcome.plan`. */
  readonly mayPlanFirst?: boolean;
  /** Restricts the agent to these tools; all of its own if absent. */
  readonly toolNames?: readonly string[];
  /** Calls that run before the first model request: those of a dedicated mode. */
  readonly firstCalls?: readonly Omit<ToolCall, 'id'>[];
  /** Derives the answer from their results; if absent, or on null, the model answers. */
  readonly answerToFirstCalls?: (results: readonly CallResult[]) => string | null;
  /** A message at the end of each request that stays out of the conversation; null for none. */
  readonly ephemeralMessage?: () => string | null;
  /** For research: what the user chose; if absent, settings and question decide. */
  readonly research?: {
    readonly depth: ResearchDepth | null;
    readonly scenario: ResearchScenario | null;
  };
  /** What the user wrote for every task, as it was when the run began; absent for nothing. */
  readonly instructions?: string;
  /** The last round in the conversation that the run began with: that of the run it was forked from. */
  readonly roundsBefore: number;
  /** Characters that `AgentOutcome.calls` keeps of each result; 4,000 by default. */
  readonly evidenceChars?: number;
  /** Share of the model's context window that tool schemas of connectors may take, from 0 to 1. */
  readonly connectorShare: number;
  /** Hard cap on model requests. */
  readonly maxRounds: number;
  /** Equal batches of calls in a row after which the model is asked to try another approach. */
  readonly repeatsBeforeHint: number;
  /** Rounds in a row in which every call failed, after which the work ends. */
  readonly errorsBeforeReplan: number;
}

/** A completed call, as evidence for later claims; long results are cut in the middle. */
export interface MadeCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly status: CallResult['status'];
  readonly content: string;
}

export interface AgentOutcome {
  readonly answer: string;
  readonly rounds: number;
  readonly toolCalls: number;
  /** The calls of the run, in order. */
  readonly calls: readonly MadeCall[];
  /** Instead of an answer, the plan that the first call made. Nothing was done, nothing was recorded. */
  readonly plan?: DraftedPlan;
  /** What the agent itself knows that its answer does not show; absent for none. */
  readonly unverified?: readonly string[];
}

/** A loop that takes messages and works until it has an answer. */
export interface Agent {
  run(messages: readonly ChatMessage[], context: AgentContext): Promise<AgentOutcome>;
}
