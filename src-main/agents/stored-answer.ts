import { z } from 'zod';
import { StoredCall } from '../models/stored-message.ts';
import type { ModelReply } from '../models/types.ts';

/** The part of an answer that stays in the conversation; plain JSON, so that it can be stored. */
export type Answer = Pick<ModelReply, 'content' | 'reasoning' | 'toolCalls' | 'invalidToolCalls'>;

const StoredAnswer: z.ZodType<Answer> = z.object({
  content: z.string(),
  reasoning: z.string(),
  toolCalls: z.array(StoredCall),
  invalidToolCalls: z.array(
    z.object({ id: z.string(), name: z.string(), rawArguments: z.string(), problem: z.string() }),
  ),
});

/** Parses a stored answer. Throws on anything that no version of the app has written. */
export function parseStoredAnswer(stored: unknown): Answer {
  return StoredAnswer.parse(stored);
}
