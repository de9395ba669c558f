import { AppError } from '#contract/errors.ts';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import type { InterruptKind } from '#contract/vocabulary.ts';
import { parseArgvPattern } from './argv.ts';
import type { Question } from './types.ts';

/** The bytes of arguments that the person changed, as they would run. */
export interface ReviewedArguments {
  readonly argumentsText: string;
  readonly argumentsSha256: string;
  readonly reasons: readonly string[];
}

/** What may be said to a question of each kind. */
const ANSWERS: Readonly<Record<InterruptKind, readonly InterruptResponse['action'][]>> = {
  approval: ['approve', 'deny'],
  decision: ['select', 'input', 'skip'],
  input: ['select', 'input', 'skip'],
  confirm: ['confirm', 'deny'],
  checkpoint: ['confirm', 'modify', 'select', 'deny'],
};

/** The answer with changed arguments in the bytes that will run. Throws `BAD_REQUEST`. */
export function withCanonicalEdit(
  { toolName }: Question,
  response: InterruptResponse,
  review: (toolName: string, argumentsText: string) => ReviewedArguments,
): InterruptResponse {
  if (response.action !== 'approve' || response.edited === undefined) return response;
  const { argumentsText, argumentsSha256 } = review(toolName ?? '', response.edited);
  if (argumentsSha256 !== response.argumentsSha256) throw mismatch();
  return { ...response, edited: argumentsText };
}

/** Throws where an answer does not belong to its question. */
export function checkFits(question: Question, response: InterruptResponse): void {
  if (!ANSWERS[question.kind].includes(response.action)) {
    const possible = ANSWERS[question.kind].join(', ');
    throw new AppError(
      'BAD_REQUEST',
      `"${response.action}" is no answer to this question. Possible: ${possible}.`,
    );
  }
  switch (response.action) {
    case 'approve':
      if (response.edited === undefined && response.argumentsSha256 !== question.argumentsSha256) {
        throw mismatch();
      }
      checkRule(response.rule);
      return;
    case 'deny':
      checkRule(response.rule);
      return;
    case 'select':
      if (question.options.some(({ value }) => value === response.value)) return;
      throw new AppError('BAD_REQUEST', 'That is none of the options.');
    case 'modify': {
      const unknown = Object.keys(response.overrides).find(
        (name) => !Object.hasOwn(question.parameters ?? {}, name),
      );
      if (unknown === undefined) return;
      throw new AppError('BAD_REQUEST', `This checkpoint has no parameter "${unknown}".`);
    }
    case 'input':
    case 'skip':
    case 'confirm':
      return;
  }
}

function checkRule(rule: Extract<InterruptResponse, { action: 'deny' }>['rule']): void {
  if (rule?.match === 'argv' && parseArgvPattern(rule.pattern) === null) {
    throw new AppError(
      'BAD_REQUEST',
      'The words of a command are a JSON list, as ["git","status"].',
    );
  }
}

function mismatch(): AppError {
  return new AppError('APPROVAL_MISMATCH', 'What was approved is not what was asked: look again.');
}
