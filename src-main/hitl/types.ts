import type { RulePattern } from '#contract/entities.ts';
import type { InterruptOption, InterruptResponse } from '#contract/events/hitl.ts';
import type { RunEventDraft, RunEventOf } from '#contract/events/run-event.ts';
import type { InterruptKind, RiskLevel } from '#contract/vocabulary.ts';

/** A question to the person. Ids and attention time are the broker's. */
export interface Question {
  /**
   * What is asked about, once for each run: a step that is done again after a crash finds its question
   * and the answer by it.
   */
  readonly subject: string;
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
  readonly rulePatterns?: readonly RulePattern[];
  readonly batchId?: string;
  readonly change?: RunEventOf<'interrupt'>['change'];
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly options: readonly InterruptOption[];
}

/** Whom and what a question belongs to. */
export interface QuestionContext {
  readonly runId: string;
  readonly threadId: string;
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
 * Why a run is stopped when the app closes: it has no end, and goes on at the next start. Control
 * flow like `RunParked`.
 */
export class RunSuspended extends Error {
  constructor() {
    super('The app is closing; the run goes on when it is opened again');
    this.name = 'RunSuspended';
  }
}

/** Why a run is stopped for a while: the person asked for it. Control flow like `RunParked`. */
export class RunPaused extends Error {
  constructor() {
    super('The run is paused');
    this.name = 'RunPaused';
  }
}

/** Whether an error means that the run goes on later, so that nothing may be put down as its result. */
export function isGoingOnLater(error: unknown): boolean {
  return error instanceof RunParked || error instanceof RunSuspended || error instanceof RunPaused;
}

/** The one place where runs meet people. Emits `interrupt` and `interrupt_response`. */
export interface InterruptBroker {
  /** The person's answer. Rejects with the signal's reason, or `RunParked`. */
  ask(question: Question, context: QuestionContext): Promise<InterruptResponse>;
  /** Puts a question down that a rule or the policy has answered, so that the log tells of it. */
  note(
    question: Question,
    answer: { readonly response: InterruptResponse; readonly by: 'rule' | 'policy' },
    context: QuestionContext,
  ): void;
  /** Throws `NOT_FOUND`, `ALREADY_ANSWERED`, `APPROVAL_MISMATCH`, `BAD_REQUEST`. */
  respond(runId: string, interruptId: string, response: InterruptResponse): void;
}
