import type { RulePattern } from '#contract/entities.ts';
import type { InterruptOption, InterruptResponse } from '#contract/events/hitl.ts';
import type { RunEventOf } from '#contract/events/run-event.ts';
import type { InterruptKind, RiskLevel } from '#contract/vocabulary.ts';
import type { RunScope } from '../run-scope.ts';

/** A question to the user. The broker adds the id and the attention time. */
export interface Question {
  /**
   * What the question is about, unique in a run: a step that runs again after a crash finds its question
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
  /** In one line, why the user is asked, where `reasons` do not say it. */
  readonly why?: string;
  readonly argumentsText?: string;
  readonly argumentsSha256?: string;
  readonly rulePattern?: string;
  readonly rulePatterns?: readonly RulePattern[];
  readonly batchId?: string;
  readonly change?: RunEventOf<'interrupt'>['change'];
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly options: readonly InterruptOption[];
}

/** The run that asks. A question stays open until the run ends or pauses. */
export type AskingRun = Pick<RunScope, 'runId' | 'threadId' | 'signal' | 'pause' | 'emit'>;

/**
 * Thrown through the loop when nobody is there to answer: the run is parked with its question open.
 * This is control flow, not a failure; nothing may catch it on the way.
 */
export class RunParked extends Error {
  readonly interruptId: string;
  constructor(interruptId: string) {
    super('The run is waiting for an answer');
    this.name = 'RunParked';
    this.interruptId = interruptId;
  }
}

/**
 * Why a run stops when the app closes: it has not ended, and resumes at the next start. Control flow
 * like `RunParked`.
 */
export class RunSuspended extends Error {
  constructor() {
    super('The app is closing; the run resumes when the app is opened again');
    this.name = 'RunSuspended';
  }
}

/** Why a run stops for a while: the user paused it. Control flow like `RunParked`. */
export class RunPaused extends Error {
  constructor() {
    super('The run is paused');
    this.name = 'RunPaused';
  }
}

/** Whether an error means that the run resumes later, so nothing may be stored as its result. */
export function isGoingOnLater(error: unknown): boolean {
  return error instanceof RunParked || error instanceof RunSuspended || error instanceof RunPaused;
}

/** The only place where a run asks the user. Emits `interrupt` and `interrupt_response`. */
export interface InterruptBroker {
  /** The user's answer. Rejects with the reason of the run's signals, or `RunParked`. */
  ask(question: Question, run: AskingRun): Promise<InterruptResponse>;
  /** Whether a run has a question about this, answered or not. */
  hasAsked(subject: string, runId: string): boolean;
  /** Records a question that a rule or the policy has answered, so that the log shows it. */
  note(
    question: Question,
    answer: { readonly response: InterruptResponse; readonly by: 'rule' | 'policy' },
    run: Pick<AskingRun, 'runId' | 'emit'>,
  ): void;
  /** Throws `NOT_FOUND`, `ALREADY_ANSWERED`, `APPROVAL_MISMATCH`, `BAD_REQUEST`. */
  respond(runId: string, interruptId: string, response: InterruptResponse): void;
}
