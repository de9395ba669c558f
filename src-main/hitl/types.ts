import type { InterruptOption, InterruptResponse } from '#contract/events/hitl.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { ApprovalPolicy, InterruptKind, RiskLevel } from '#contract/vocabulary.ts';

/** A question to the person. Ids and attention time are the broker's. */
export interface Question {
  readonly kind: InterruptKind;
  readonly title: string;
  readonly message: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly risk?: RiskLevel;
  readonly reasons: readonly string[];
  readonly argumentsText?: string;
  readonly argumentsSha256?: string;
  readonly rulePattern?: string;
  readonly options: readonly InterruptOption[];
}

/** Whom and what a question belongs to. */
export interface QuestionContext {
  readonly runId: string;
  readonly approve: ApprovalPolicy;
  readonly signal: AbortSignal;
  readonly emit: (event: RunEventDraft) => void;
}

/**
 * Thrown through the loop when nobody is there to answer: the run is parked with its question open.
 * It is control flow, not a failure, and nothing may catch it on the way.
 */
export class RunParked extends Error {
  readonly interruptId: string;
  constructor(interruptId: string) {
    super('The run waits for a person');
    this.name = 'RunParked';
    this.interruptId = interruptId;
  }
}

/**
 * The one place where runs meet people. Emits `interrupt` and `interrupt_response`. In this form
 * open questions live in memory; the durable form keeps the interface.
 */
export interface InterruptBroker {
  /** The answer of a rule, the policy, or the person. Rejects with the signal's reason, or `RunParked`. */
  ask(question: Question, context: QuestionContext): Promise<InterruptResponse>;
  /** Throws `NOT_FOUND`, `ALREADY_ANSWERED`, `APPROVAL_MISMATCH`. */
  respond(runId: string, interruptId: string, response: InterruptResponse): void;
}
