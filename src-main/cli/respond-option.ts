import { AppError } from '#contract/errors.ts';
import type { InterruptResponse, WaitingQuestion } from '#contract/events/hitl.ts';
import type { RunApi } from '../ipc/types.ts';
import { UsageError } from './exit-codes.ts';

/** An answer as the command line gives it: the id of the question, what to do, and the rest after it. */
export interface GivenAnswer {
  readonly interruptId: string;
  readonly verb: string;
  readonly rest: string;
}

const FORMS =
  'approve, deny[:REASON], confirm, skip, select:VALUE, input:TEXT, modify:JSON, happened, not_happened or stop';

/** `ID=approve`, `ID=deny:REASON` … Throws a `UsageError`. */
export function parseAnswer(text: string): GivenAnswer {
  const match = /^([^=]+)=([a-z_]+)(?::(.*))?$/s.exec(text);
  const [, interruptId = '', verb = '', rest = ''] = match ?? [];
  if (match === null) throw new UsageError(`--respond is ID=ANSWER, and ANSWER is ${FORMS}.`);
  return { interruptId, verb, rest };
}

/** The answer as the app takes it. Throws where it does not fit the question. */
export function toResponse(
  { verb, rest }: GivenAnswer,
  question: WaitingQuestion,
  runs: Pick<RunApi, 'review'>,
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
      return modify(rest, question, runs);
    default:
      throw new UsageError(`"${verb}" is no answer. Possible: ${FORMS}.`);
  }
}

/** Changed arguments of a call, or changed parameters of a checkpoint. */
function modify(
  text: string,
  { runId, interruptId, argumentsSha256 }: WaitingQuestion,
  runs: Pick<RunApi, 'review'>,
): InterruptResponse {
  if (argumentsSha256 === undefined) {
    return { action: 'modify', overrides: parseOverrides(text) };
  }
  const reviewed = runs.review(runId, interruptId, text);
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
    throw new UsageError(`modify: takes a JSON object: ${String(error)}`);
  }
  throw new AppError('BAD_REQUEST', 'modify: takes a JSON object of the parameters to change.');
}
