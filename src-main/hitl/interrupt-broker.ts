import { AppError } from '#contract/errors.ts';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import type { InterruptKind } from '#contract/vocabulary.ts';
import { newId } from '../base/ids.ts';
import { type ApprovalRuleStore, decideByRule } from './approval-rules.ts';
import { type InterruptBroker, type Question, type QuestionContext, RunParked } from './types.ts';

/** How long a question may wait before its run counts as parked, ms. */
const ATTENTION_MS: Readonly<Record<InterruptKind, number>> = {
  approval: 120_000,
  decision: 300_000,
  input: 300_000,
  confirm: 120_000,
  checkpoint: 300_000,
};

interface OpenQuestion {
  readonly question: Question;
  readonly runId: string;
  readonly answer: (response: InterruptResponse) => void;
}

export interface InMemoryInterruptBrokerParts {
  readonly rules: ApprovalRuleStore;
  /** Whether somebody can answer here. If not, a question parks its run at once. */
  readonly attended: boolean;
}

/**
 * Keeps open questions in memory, for as long as their run. Nothing is executed before an answer;
 * the attention time only tells windows when to call a run parked, and a late answer still counts.
 */
export class InMemoryInterruptBroker implements InterruptBroker {
  readonly #rules: ApprovalRuleStore;
  readonly #attended: boolean;
  readonly #open = new Map<string, OpenQuestion>();
  readonly #answered = new Set<string>();

  constructor({ rules, attended }: InMemoryInterruptBrokerParts) {
    this.#rules = rules;
    this.#attended = attended;
  }

  async ask(question: Question, context: QuestionContext): Promise<InterruptResponse> {
    context.signal.throwIfAborted();
    const standing = question.kind === 'approval' ? this.#standingAnswer(question, context) : null;
    // The run's options say so already; a question and an answer for each call would be noise.
    if (standing?.by === 'policy' && standing.response.action === 'approve') {
      return standing.response;
    }
    const interruptId = newId('int');
    context.emit({
      type: 'interrupt',
      interruptId,
      kind: question.kind,
      title: question.title,
      message: question.message,
      reasons: [...question.reasons],
      options: [...question.options],
      attentionMs: ATTENTION_MS[question.kind],
      ...optionalParts(question),
    });
    if (standing !== null) {
      context.emit({ type: 'interrupt_response', interruptId, ...standing });
      return standing.response;
    }
    if (!this.#attended) throw new RunParked(interruptId);
    const response = await this.#wait(interruptId, question, context);
    context.emit({ type: 'interrupt_response', interruptId, response, by: 'person' });
    return response;
  }

  respond(runId: string, interruptId: string, response: InterruptResponse): void {
    const open = this.#open.get(interruptId);
    if (open === undefined || open.runId !== runId) {
      throw this.#answered.has(interruptId)
        ? new AppError('ALREADY_ANSWERED', 'This question was answered already.')
        : new AppError('NOT_FOUND', 'This question is not open any more: its run has ended.');
    }
    checkFits(open.question, response);
    if (response.action === 'approve' && response.always) this.#remember(open.question);
    this.#open.delete(interruptId);
    this.#answered.add(interruptId);
    open.answer(response);
  }

  #standingAnswer(
    question: Question,
    context: QuestionContext,
  ): { response: InterruptResponse; by: 'rule' | 'policy' } | null {
    const { toolName = '', argumentsText = '', argumentsSha256 = '' } = question;
    const approval = { action: 'approve', argumentsSha256, always: false } as const;
    const rule = decideByRule(this.#rules.list(), toolName, argumentsText);
    if (rule?.decision === 'deny') {
      return {
        response: { action: 'deny', reason: 'A rule of the person denies this.' },
        by: 'rule',
      };
    }
    if (context.approve === 'all') return { response: approval, by: 'policy' };
    if (rule !== null) return { response: approval, by: 'rule' };
    if (context.approve === 'never') {
      const reason = 'This run may not do anything that needs approval.';
      return { response: { action: 'deny', reason }, by: 'policy' };
    }
    return null;
  }

  #wait(
    interruptId: string,
    question: Question,
    { runId, signal }: QuestionContext,
  ): Promise<InterruptResponse> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#open.delete(interruptId);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const answer = (response: InterruptResponse): void => {
        signal.removeEventListener('abort', onAbort);
        resolve(response);
      };
      this.#open.set(interruptId, { question, runId, answer });
    });
  }

  #remember({ toolName, rulePattern }: Question): void {
    if (toolName === undefined || rulePattern === undefined) return;
    this.#rules.add({ toolName, pattern: rulePattern, decision: 'approve' });
  }
}

type OptionalParts =
  | 'toolCallId'
  | 'toolName'
  | 'risk'
  | 'argumentsText'
  | 'argumentsSha256'
  | 'rulePattern';

function optionalParts(question: Question): Partial<Pick<Question, OptionalParts>> {
  const { toolCallId, toolName, risk, argumentsText, argumentsSha256, rulePattern } = question;
  return {
    ...(toolCallId === undefined ? {} : { toolCallId }),
    ...(toolName === undefined ? {} : { toolName }),
    ...(risk === undefined ? {} : { risk }),
    ...(argumentsText === undefined ? {} : { argumentsText }),
    ...(argumentsSha256 === undefined ? {} : { argumentsSha256 }),
    ...(rulePattern === undefined ? {} : { rulePattern }),
  };
}

/** Throws where an answer does not belong to its question. */
function checkFits(question: Question, response: InterruptResponse): void {
  if (response.action === 'approve' && response.argumentsSha256 !== question.argumentsSha256) {
    throw new AppError('APPROVAL_MISMATCH', 'What was approved is not what was asked: look again.');
  }
  const allowed = question.kind === 'approval' ? ['approve', 'deny'] : ['select', 'input', 'skip'];
  if (!allowed.includes(response.action)) {
    throw new AppError('BAD_REQUEST', `"${response.action}" is no answer to this question.`);
  }
  const isUnknownOption =
    response.action === 'select' &&
    !question.options.some((option) => option.value === response.value);
  if (isUnknownOption) throw new AppError('BAD_REQUEST', 'That is none of the options.');
}
