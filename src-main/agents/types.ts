import type { RunEventDraft } from '#contract/events/run-event.ts';
import type {
  ApprovalPolicy,
  ExecutionMode,
  ModelTier,
  ResearchDepth,
  ResearchScenario,
} from '#contract/vocabulary.ts';
import type { RunEgress } from '../egress/app-egress.ts';
import type { SecondOpinion } from '../hitl/second-opinion.ts';
import type { InterruptBroker } from '../hitl/types.ts';
import type { ChatMessage, ChatModel, ToolCall } from '../models/types.ts';
import type { TaskSandbox } from '../sandbox/types.ts';
import type { CallResult } from '../tools/tool-pipeline.ts';
import type { Delegate, Taint } from '../tools/types.ts';
import type { ConversationFitter } from './context/conversation-fitter.ts';

/** What an agent needs of the run that it works for. */
export interface AgentContext {
  readonly runId: string;
  readonly threadId: string;
  readonly approve: ApprovalPolicy;
  readonly executionMode: ExecutionMode;
  readonly model: ChatModel;
  /** The model of a tier, opened when it is first asked for; the task's own where none is set. */
  readonly tier: (tier: ModelTier) => Promise<ChatModel>;
  /** Fits each request to the window of the model. */
  readonly fitter: ConversationFitter;
  /** One for another conversation on the same model, which begins as this one does. */
  readonly openFitter: () => ConversationFitter;
  readonly sandbox: TaskSandbox;
  /** The way out of this computer, as far as the run has one. */
  readonly egress: RunEgress;
  readonly signal: AbortSignal;
  /** Aborts when the run is to stop at its next step, for a while. */
  readonly pause: AbortSignal;
  readonly taint: Taint;
  /** Who else is asked about calls of a tainted task; null or absent for nobody. */
  readonly secondOpinion?: SecondOpinion | null;
  readonly emit: (event: RunEventDraft) => void;
  /** Does `work`, which writes to the database, in the transaction of the next events. Never throws. */
  readonly persist: (work: () => void) => void;
  /** Does `work` now, together with all events so far. Throws what storing throws. */
  readonly commit: (work: () => void) => void;
  /**
   * Takes messages into the thread's transcript as soon as they are final: an answer, or a round of
   * calls together with all its results, so that a broken run leaves no call without a result.
   */
  readonly record: (messages: readonly ChatMessage[]) => void;
  /** The run goes on after its process ended: steps that were done are not done again. */
  readonly resumed: boolean;
  /**
   * Which piece of work within the run this is: 0 for the run itself, then one for each step of a plan,
   * each hand-over. Steps that are stored, rounds, calls and messages are told apart by it.
   */
  readonly lane: number;
  /** Hands a task to the research agent; null where the agent may not. */
  readonly delegate: Delegate | null;
  /** Who is asked, where not the broker of the app. */
  readonly broker?: InterruptBroker;
  /** The only tools that the agent has; all of its own unless given. */
  readonly toolNames?: readonly string[];
  /** Calls that are made before the model is asked: those of a dedicated mode. */
  readonly firstCalls?: readonly Omit<ToolCall, 'id'>[];
  /** The answer that follows from them alone; null, or without it, the model is asked. */
  readonly answerToFirstCalls?: (results: readonly CallResult[]) => string | null;
  /** What the model is told at the end of each request, and only there; null for nothing. */
  readonly ephemeralMessage?: () => string | null;
  /** For research: what the person asked for; absent where the question decides. */
  readonly research?: {
    readonly depth: ResearchDepth | null;
    readonly scenario: ResearchScenario | null;
  };
  /** Rounds that the conversation holds already: of the run that this one was forked from. */
  readonly roundsBefore: number;
  /** Characters of a result that the outcome's calls keep; 4,000 unless given. */
  readonly evidenceChars?: number;
  /** Hard cap on model requests. */
  readonly maxRounds: number;
  /** Equal batches of calls in a row after which the model is told to try another way. */
  readonly repeatsBeforeHint: number;
  /** Rounds in a row in which every call failed, after which the work is given up. */
  readonly errorsBeforeReplan: number;
}

/** A call that was made, as evidence for what is claimed afterwards; long results are cut in their middle. */
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
  /** What was done, in order. */
  readonly calls: readonly MadeCall[];
}

/** Rounds of a lane are numbered from here on, so that numbers are unique in the run. */
export const ROUNDS_PER_LANE = 10_000;

/** A loop that takes messages and works until it has an answer. */
export interface Agent {
  run(messages: readonly ChatMessage[], context: AgentContext): Promise<AgentOutcome>;
}
