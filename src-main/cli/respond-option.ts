import { AppError } from '#contract/errors.ts';
import type { InterruptResponse, WaitingQuestion } from '#contract/events/hitl.ts';
import type { Api } from '../api/create-api.ts';
import { UsageError } from './exit-codes.ts';

/** An answer from the command line: id of the question, the verb, and the text after it. */
export interface AnswerOption {
  readonly interruptId: string;
  readonly verb: string;
  readonly rest: string;
}

const FORMS =
  'approve, deny[:REASON], confirm, skip, select:VALUE, input:TEXT, modify:JSON, happened, not_happened or stop';

/** Parses `ID=approve`, `ID=deny:REASON` and so on. Throws a `UsageError`. */
export function parseAnswer(text: string): AnswerOption {
  const match = /^([^=]+)=([a-z_]+)(?::(.*))?$/s.exec(text);
  const [, interruptId = '', verb = '', rest = ''] = match ?? [];
  if (match === null) throw new UsageError(`--respond takes ID=ANSWER, where ANSWER is ${FORMS}.`);
  return { interruptId, verb, rest };
}

/** The answer as the app expects it. Throws if it does not fit the question. */
export function toResponse(
  { verb, rest }: AnswerOption,
  question: WaitingQuestion,
  api: Pick<Api, 'runs.review'>,
): InterruptResponse {
  switch (verb) {
    case 'approve':
    case 'confirm':
      return question.argumentsSha256 === undefined
        ? { action: 'confirm' }
        : { action: 'approve', argumentsSha256: question.argumentsSha256, always: false };
    case 'deny':
      return { action: 'deny', reason: rest };
    case 'skip':
      return { action: 'skip' };
    case 'select':
      return { action: 'select', value: rest };
    case 'input':
      return { action: 'input', text: rest };
    case 'happened':
    case 'not_happened':
    case 'stop':
      return { action: 'select', value: verb };
    case 'modify':
      return modify(rest, question, api);
    default:
      throw new UsageError(`"${verb}" is not a valid answer. Use ${FORMS}.`);
  }
}

/** Changed arguments of a call, or changed parameters of a checkpoint. */
function modify(
  text: string,
  { runId, interruptId, argumentsSha256 }: WaitingQuestion,
  api: Pick<Api, 'runs.review'>,
): InterruptResponse {
  if (argumentsSha256 === undefined) {
    return { action: 'modify', overrides: parseOverrides(text) };
  }
  const reviewed = api['runs.review']({ runId, interruptId, argumentsText: text });
  return {
    action: 'approve',
    argumentsSha256: reviewed.argumentsSha256,
    always: false,
    edited: reviewed.argumentsText,
  };
}

function parseOverrides(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch (error) {
    throw new UsageError(
      `modify: needs a JSON object, but the text is not valid JSON: ${String(error)}`,
    );
  }
  throw new AppError('BAD_REQUEST', 'modify: needs a JSON object with the parameters to change.');
}
