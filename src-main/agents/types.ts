import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { ApprovalPolicy } from '#contract/vocabulary.ts';
import type { ChatMessage, ChatModel } from '../services/llm/types.ts';
import type { TaskSandbox } from '../services/sandbox/types.ts';
import type { ConversationFitter } from './context/conversation-fitter.ts';

/** What an agent needs of the run that it works for. */
export interface AgentContext {
  readonly runId: string;
  readonly threadId: string;
  readonly approve: ApprovalPolicy;
  readonly model: ChatModel;
  /** Fits each request to the window of the model. */
  readonly fitter: ConversationFitter;
  readonly sandbox: TaskSandbox;
  readonly signal: AbortSignal;
  readonly emit: (event: RunEventDraft) => void;
  /**
   * Takes messages into the thread's transcript as soon as they are final: an answer, or a round of
   * calls together with all its results, so that a broken run leaves no call without a result.
   */
  readonly record: (messages: readonly ChatMessage[]) => void;
  /** Hard cap on model requests. */
  readonly maxRounds: number;
}

export interface AgentOutcome {
  readonly answer: string;
  readonly rounds: number;
  readonly toolCalls: number;
}

/** A loop that takes messages and works until it has an answer. */
export interface Agent {
  run(messages: readonly ChatMessage[], context: AgentContext): Promise<AgentOutcome>;
}
