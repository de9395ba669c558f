import { z } from 'zod';
import { delimitAsData } from '../guardrails/delimit.ts';
import type { Finding } from '../guardrails/scanner.ts';
import { askWithin, type WithinOptions } from '../models/ask-within.ts';
import type { ChatModel } from '../models/types.ts';

const Kind = z.enum(['none', 'abuse', 'hate', 'threat']);
const Judged = z.strictObject({ kind: Kind });

/** Time limit for each piece: the most by which it delays the end of the run. */
const SECONDS = 15;
const PIECE_CHARS = 6_000;
/** How many pieces of one answer are checked, from its start. */
const MAX_PIECES = 4;

const MESSAGES: Readonly<Record<Exclude<z.infer<typeof Kind>, 'none'>, string>> = {
  abuse: 'A second model flagged this answer as abuse.',
  hate: 'A second model flagged this answer as hate speech.',
  threat: 'A second model flagged this answer as a threat.',
};
const UNCHECKED: Finding = {
  rule: 'toxic_unchecked',
  message: 'The second model could not say whether this answer is abusive.',
  weight: 'note',
};

export interface AnswerCheck {
  readonly model: () => Promise<ChatModel>;
  readonly systemPrompt: string;
}

/**
 * Asks a model whether an answer contains abuse, hate speech or threats; null if it finds none. Only a
 * notice: the answer stays as it is.
 */
export async function checkAnswer(
  answer: string,
  { model, systemPrompt }: AnswerCheck,
  options: Omit<WithinOptions, 'limitMs'>,
): Promise<Finding | null> {
  for (let piece = 0; piece < MAX_PIECES; piece += 1) {
    const text = answer.slice(piece * PIECE_CHARS, (piece + 1) * PIECE_CHARS);
    if (text.trim() === '') continue;
    const source = 'the answer of an assistant';
    const judged = await askWithin(
      model,
      {
        messages: [
          { role: 'system', content: systemPrompt },
          { role: 'user', content: delimitAsData(text, { toolCallId: 'answer-check', source }) },
        ],
        schema: Judged,
        temperature: 0,
      },
      { ...options, limitMs: SECONDS * 1_000 },
    );
    if (judged.kind !== 'answered') return UNCHECKED;
    const { kind } = judged.value;
    if (kind !== 'none') {
      return { rule: `toxic_${kind}`, message: MESSAGES[kind], weight: 'signal' };
    }
  }
  return null;
}
