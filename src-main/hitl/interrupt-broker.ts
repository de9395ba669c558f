import type { RuleDraft } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { newId } from '../base/ids.ts';
import { RunningTime } from '../base/running-time.ts';
import type { InterruptStore, StoredInterrupt } from '../storage/types.ts';
import { checkFits, type ReviewedArguments, withCanonicalEdit } from './answer-checks.ts';
import { attentionMs, type QuestionFields, questionFields } from './question-fields.ts';
import { type AskingRun, type InterruptBroker, type Question, RunParked } from './types.ts';

export interface InterruptBrokerParts {
  readonly interrupts: InterruptStore<Question>;
  /** Whether somebody can answer here now. If not, a question parks its run at once. */
  readonly isAttended: (threadId: string) => boolean;
  /** What happens to a question that nobody answers in time. */
  readonly onTimeout: () => 'park' | 'deny';
  /** Checks arguments that the user edited, and returns the bytes that would run. Throws `BAD_REQUEST`. */
  readonly review: (toolName: string, argumentsText: string) => ReviewedArguments;
  /** Stores an answer as a rule. */
  readonly remember: (rule: RuleDraft) => void;
  /** The task of a run. */
  readonly threadOf: (runId: string) => string;
  /** Called when a question was asked or answered. */
  readonly onChange: () => void;
}

const ASKED_AGAIN = 'You are asked about this call again, because a secret was removed from it.';
const NO_ANSWER = 'Nobody answered in time.';

/**
 * Stores questions and answers: a question outlives its process, and an answer given while the run is
 * parked counts when it resumes. Nothing is executed before an answer. After the attention time the run
 * is parked or the question counts as denied, as the user configured.
 */
export class DurableInterruptBroker implements InterruptBroker {
  readonly #parts: InterruptBrokerParts;
  /** Steps that wait in this process, by the id of their question. */
  readonly #waiting = new Map<string, (response: InterruptResponse) => void>();

  constructor(parts: InterruptBrokerParts) {
    this.#parts = parts;
  }

  async ask(question: Question, run: AskingRun): Promise<InterruptResponse> {
    const signal = AbortSignal.any([run.signal, run.pause]);
    signal.throwIfAborted();
    const { interruptId, response: known } = this.#put(question, run);
    const emitAnswer = (
      response: InterruptResponse,
      by: 'person' | 'policy',
    ): InterruptResponse => {
      run.emit({ type: 'interrupt_response', interruptId, response, by });
      return response;
    };
    if (known !== null) return emitAnswer(known, 'person');
    this.#parts.onChange();
    if (!this.#parts.isAttended(run.threadId)) throw new RunParked(interruptId);
    const answer = await this.#wait(interruptId, question, signal);
    return emitAnswer(answer.response, answer.by);
  }

  hasAsked(subject: string, runId: string): boolean {
    return this.#parts.interrupts.find(runId, subject) !== null;
  }

  note(
    question: Question,
    { response, by }: { readonly response: InterruptResponse; readonly by: 'rule' | 'policy' },
    run: Pick<AskingRun, 'runId' | 'emit'>,
  ): void {
    const { interruptId } = this.#put(question, run);
    this.#parts.interrupts.answer(interruptId, response, by);
    run.emit({ type: 'interrupt_response', interruptId, response, by });
  }

  respond(runId: string, interruptId: string, given: InterruptResponse): void {
    const { interrupts, review } = this.#parts;
    const known = interrupts.get(interruptId);
    if (known === null || known.runId !== runId) {
      throw new AppError('NOT_FOUND', `This run has no question "${interruptId}".`);
    }
    if (known.response !== null) throw alreadyAnswered();
    const response = withCanonicalEdit(known.question, given, review);
    checkFits(known.question, response);
    if (!interrupts.answer(interruptId, response, 'person')) throw alreadyAnswered();
    this.#remember(known, response);
    this.#waiting.get(interruptId)?.(response);
    this.#parts.onChange();
  }

  /** Another process may have answered: steps here whose question is answered now continue. */
  lookAgain(): void {
    for (const [interruptId, proceed] of [...this.#waiting]) {
      const response = this.#parts.interrupts.get(interruptId)?.response ?? null;
      if (response !== null) proceed(response);
    }
  }

  /** The stored question; a step that runs again finds its earlier one. */
  #put(
    question: Question,
    { runId, emit }: Pick<AskingRun, 'runId' | 'emit'>,
  ): { readonly interruptId: string; readonly response: InterruptResponse | null } {
    const { interrupts } = this.#parts;
    const known = interrupts.find(runId, question.subject);
    const interruptId = known?.id ?? newId('int');
    if (known === null) {
      this.#closeEarlier(question, { runId, emit });
      interrupts.put({ id: interruptId, runId, subject: question.subject, question });
    }
    emit(interruptEvent(interruptId, known?.question ?? question));
    return { interruptId, response: known?.response ?? null };
  }

  /** The arguments of a call change when a secret in them becomes known; only its latest question stays open. */
  #closeEarlier(
    { kind, toolCallId }: Question,
    { runId, emit }: Pick<AskingRun, 'runId' | 'emit'>,
  ): void {
    if (kind !== 'approval' || toolCallId === undefined) return;
    const { interrupts } = this.#parts;
    const response = { action: 'deny', reason: ASKED_AGAIN } as const;
    for (const { id, question } of interrupts.openOf(runId)) {
      if (question.kind !== kind || question.toolCallId !== toolCallId) continue;
      if (this.#waiting.has(id) || !interrupts.answer(id, response, 'policy')) continue;
      emit({ type: 'interrupt_response', interruptId: id, response, by: 'policy' });
    }
  }

  #wait(
    interruptId: string,
    question: Question,
    signal: AbortSignal,
  ): Promise<{ readonly response: InterruptResponse; readonly by: 'person' | 'policy' }> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        limit[Symbol.dispose]();
        this.#waiting.delete(interruptId);
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        settle();
        reject(signal.reason);
      };
      const onTime = (): void => {
        const { interrupts, onTimeout, onChange } = this.#parts;
        const response = refusalOf(question);
        if (onTimeout() === 'park' || !interrupts.answer(interruptId, response, 'policy')) {
          settle();
          reject(new RunParked(interruptId));
          return;
        }
        settle();
        onChange();
        resolve({ response, by: 'policy' });
      };
      // Time in which the computer slept does not count.
      const limit = new RunningTime({ ms: attentionMs(question.kind), onReached: onTime });
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.set(interruptId, (response) => {
        settle();
        resolve({ response, by: 'person' });
      });
    });
  }

  #remember({ runId, question }: StoredInterrupt<Question>, response: InterruptResponse): void {
    const { toolName, rulePattern } = question;
    if (toolName === undefined) return;
    if (response.action !== 'approve' && response.action !== 'deny') return;
    const { rule, action: decision } = response;
    const { remember, threadOf } = this.#parts;
    if (rule !== undefined) {
      const threadId = rule.thisTaskOnly ? threadOf(runId) : null;
      remember({ toolName, match: rule.match, pattern: rule.pattern, decision, threadId });
    } else if (response.action === 'approve' && response.always && rulePattern !== undefined) {
      const threadId = threadOf(runId);
      remember({ toolName, match: 'arguments', pattern: rulePattern, decision, threadId });
    }
  }
}

function interruptEvent(interruptId: string, question: Question): RunEventDraft {
  const fields: QuestionFields = questionFields(interruptId, question);
  return { type: 'interrupt', ...fields };
}

function refusalOf(question: Question): InterruptResponse {
  return question.kind === 'decision' || question.kind === 'input'
    ? { action: 'skip' }
    : { action: 'deny', reason: NO_ANSWER };
}

function alreadyAnswered(): AppError {
  return new AppError('ALREADY_ANSWERED', 'This question was answered already.');
}
