import { z } from 'zod';
import { delimitAsData } from '../guardrails/delimit.ts';
import { type AnswerWithin, askWithin, type WithinOptions } from '../models/ask-within.ts';
import type { ChatModel } from '../models/types.ts';

/** A call that leaves this computer, as it would run. */
export interface DoubtedCall {
  readonly toolName: string;
  /** Canonical JSON. */
  readonly argumentsText: string;
  readonly argumentsSha256: string;
}

/** Why the user should be asked about a call that needs no approval otherwise; null if there is no doubt. */
export type SecondOpinion = (call: DoubtedCall, signal: AbortSignal) => Promise<string | null>;

const Opinion = z.strictObject({ serves: z.enum(['yes', 'no', 'unclear']) });
/** The outcome of asking: only `yes` lets a call pass without a question. */
const Outcome = z.enum([...Opinion.shape.serves.options, 'late', 'failed']);
type Outcome = z.infer<typeof Outcome>;
export const KeptOpinions = z.record(z.string(), Outcome);
export type KeptOpinions = z.infer<typeof KeptOpinions>;

const SECONDS = 20;
/** Most questions to the model in one run; after that the user is asked. */
const MAX_ASKED = 60;
/** How much is shown of the user's words (the newest), and how long a call may be: a longer one is itself a doubt. */
const WORDS_CHARS = 6_000;
const CALL_CHARS = 6_000;

const ASKED = 'A second model was asked whether this call serves what you wrote in this task';
const REASONS: Readonly<Record<Exclude<Outcome, 'yes'> | 'too_many' | 'too_long', string>> = {
  no: `${ASKED}, and said that it does not.`,
  unclear: `${ASKED}, and could not tell.`,
  late: `${ASKED}, but did not answer within ${SECONDS} s.`,
  failed: `${ASKED}, but gave no usable answer.`,
  too_many: `A second model already checked ${MAX_ASKED} calls of this run, which is the limit.`,
  too_long: 'This call is too long for a second model to check.',
};

export interface OpinionRequest {
  readonly systemPrompt: string;
  /** What the user wrote in this task, oldest first. */
  readonly words: readonly string[];
  readonly call: Pick<DoubtedCall, 'toolName' | 'argumentsText'>;
}

/**
 * Asks a model whether a call serves the user's own words. It does not see what the task has read, so only
 * the call itself can influence it.
 */
export async function askOpinion(
  model: () => Promise<ChatModel>,
  { systemPrompt, words, call }: OpinionRequest,
  options: Omit<WithinOptions, 'limitMs'> & { readonly limitMs?: number },
): Promise<Outcome> {
  const shown = delimitAsData(`${call.toolName} ${call.argumentsText}`, {
    toolCallId: 'second-opinion',
    source: 'an agent that may have been misled',
  });
  const said = words.join('\n\n').slice(-WORDS_CHARS);
  const answer: AnswerWithin<z.infer<typeof Opinion>> = await askWithin(
    model,
    {
      messages: [
        { role: 'system', content: systemPrompt },
        { role: 'user', content: `The user wrote:\n${said}\n\nThe call:\n${shown}` },
      ],
      schema: Opinion,
      temperature: 0,
    },
    { limitMs: SECONDS * 1_000, ...options },
  );
  return answer.kind === 'answered' ? answer.value.serves : answer.kind;
}

export interface SecondOpinionParts extends Pick<OpinionRequest, 'systemPrompt' | 'words'> {
  readonly model: () => Promise<ChatModel>;
  readonly onReply: WithinOptions['onReply'];
  /** The opinions so far in this run: a run that resumes must ask the same questions. */
  readonly kept: KeptOpinions;
  readonly keep: (opinions: KeptOpinions) => void;
}

/**
 * One opinion for each exact call of a run, one at a time. Anything but a clear `yes` is a doubt; it can add
 * a question, never remove one.
 */
export function createSecondOpinion(parts: SecondOpinionParts): SecondOpinion {
  let kept = parts.kept;
  let queue: Promise<unknown> = Promise.resolve();
  const ask = async (call: DoubtedCall, signal: AbortSignal): Promise<string | null> => {
    const { toolName, argumentsText, argumentsSha256 } = call;
    const key = `${toolName} ${argumentsSha256}`;
    let outcome = kept[key];
    if (outcome === undefined) {
      if (argumentsText.length > CALL_CHARS) return REASONS.too_long;
      if (Object.keys(kept).length >= MAX_ASKED) return REASONS.too_many;
      outcome = await askOpinion(parts.model, { ...parts, call }, { ...parts, signal });
      kept = { ...kept, [key]: outcome };
      parts.keep(kept);
    }
    return outcome === 'yes' ? null : REASONS[outcome];
  };
  return (call, signal) => {
    const asked = queue.then(() => ask(call, signal));
    queue = asked.catch(() => undefined);
    return asked;
  };
}
