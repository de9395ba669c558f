import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { ApprovalPolicy, ExecutionMode } from '#contract/vocabulary.ts';
import type { RunEgress } from '../services/egress/app-egress.ts';
import type { ChatMessage, ChatModel } from '../services/llm/types.ts';
import type { TaskSandbox } from '../services/sandbox/types.ts';
import type { Taint } from '../tools/types.ts';
import type { ConversationFitter } from './context/conversation-fitter.ts';

/** What an agent needs of the run that it works for. */
export interface AgentContext {
  readonly runId: string;
  readonly threadId: string;
  readonly approve: ApprovalPolicy;
  readonly executionMode: ExecutionMode;
  readonly model: ChatModel;
  /** Fits each request to the window of the model. */
  readonly fitter: ConversationFitter;
  readonly sandbox: TaskSandbox;
  /** The way out of this computer, as far as the run has one. */
  readonly egress: RunEgress;
  readonly signal: AbortSignal;
  /** Aborts when the run is to stop at its next step, for a while. */
  readonly pause: AbortSignal;
  readonly taint: Taint;
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
  /** Rounds that the conversation holds already: of the run that this one was forked from. */
  readonly roundsBefore: number;
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
