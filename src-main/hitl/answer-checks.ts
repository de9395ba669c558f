import { AppError } from '#contract/errors.ts';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import type { InterruptKind } from '#contract/vocabulary.ts';
import { parseArgvPattern } from './argv.ts';
import type { Question } from './types.ts';

/** Arguments that the user edited, as the bytes that would run. */
export interface ReviewedArguments {
  readonly argumentsText: string;
  readonly argumentsSha256: string;
  readonly reasons: readonly string[];
}

/** The possible answers to each kind of question. */
const ANSWERS: Readonly<Record<InterruptKind, readonly InterruptResponse['action'][]>> = {
  approval: ['approve', 'deny'],
  decision: ['select', 'input', 'skip'],
  input: ['select', 'input', 'skip'],
  confirm: ['confirm', 'input', 'deny'],
  checkpoint: ['confirm', 'modify', 'select', 'input', 'deny'],
};

/** The answer, with edited arguments as the bytes that will run. Throws `BAD_REQUEST`. */
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

/** Throws if an answer does not fit its question. */
export function checkFits(question: Question, response: InterruptResponse): void {
  if (!ANSWERS[question.kind].includes(response.action)) {
    const possible = ANSWERS[question.kind].join(', ');
    throw new AppError(
      'BAD_REQUEST',
      `"${response.action}" does not answer this question. Possible answers: ${possible}.`,
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
      throw new AppError('BAD_REQUEST', 'That is not one of the options.');
    case 'modify': {
      const unknown = Object.keys(response.overrides).find(
        (name) => !Object.hasOwn(question.parameters ?? {}, name),
      );
      if (unknown === undefined) return;
      throw new AppError('BAD_REQUEST', `This checkpoint has no parameter "${unknown}".`);
    }
    case 'input':
      // Only an agent reads words: what the app itself asks has two answers.
      if (question.kind === 'confirm' && question.toolCallId === undefined) {
        throw new AppError('BAD_REQUEST', 'Answer this question with yes or no.');
      }
      if (question.kind !== 'checkpoint' || response.text.trim() !== '') return;
      throw new AppError('BAD_REQUEST', 'Say what to change, or confirm the checkpoint.');
    case 'skip':
    case 'confirm':
      return;
  }
}

function checkRule(rule: Extract<InterruptResponse, { action: 'deny' }>['rule']): void {
  if (rule?.match === 'argv' && parseArgvPattern(rule.pattern) === null) {
    throw new AppError(
      'BAD_REQUEST',
      'Write the words of a command as a JSON list, such as ["git","status"].',
    );
  }
}

function mismatch(): AppError {
  return new AppError(
    'APPROVAL_MISMATCH',
    'The approved arguments are not the ones in question. Look at the question again.',
  );
}
