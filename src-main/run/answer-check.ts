import { z } from 'zod';
import { delimitAsData } from '../guardrails/delimit.ts';
import type { Finding } from '../guardrails/scanner.ts';
import { askWithin, type WithinOptions } from '../models/ask-within.ts';
import type { ChatModel } from '../models/types.ts';

const Kind = z.enum(['none', 'abuse', 'hate', 'threat']);
const Judged = z.strictObject({ kind: Kind });

/** For each piece: the run ends later by no more than that. */
const SECONDS = 15;
const PIECE_CHARS = 6_000;
/** What is looked at of one answer, from its beginning. */
const MOST_PIECES = 4;

const MESSAGES: Readonly<Record<Exclude<z.infer<typeof Kind>, 'none'>, string>> = {
  abuse: 'A second model takes this answer for abuse.',
  hate: 'A second model takes this answer for hatred of people.',
  threat: 'A second model takes this answer for a threat.',
};
const UNCHECKED: Finding = {
  rule: 'toxic_unchecked',
  message: 'The second model gave no usable word on whether this answer is abusive.',
  weight: 'note',
};

export interface AnswerCheck {
  readonly model: () => Promise<ChatModel>;
  readonly systemPrompt: string;
}

/**
 * Abuse, hatred and threats in an answer, as a model sees them; null where it sees none. A mark and no more:
 * the answer stays as it is.
 */
export async function checkAnswer(
  answer: string,
  { model, systemPrompt }: AnswerCheck,
  options: Omit<WithinOptions, 'limitMs'>,
): Promise<Finding | null> {
  for (let piece = 0; piece < MOST_PIECES; piece += 1) {
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
