import { z } from 'zod';
import { CodeLanguage, ExecutionOutcome } from '../vocabulary.ts';
import { defineEvent } from './base.ts';

/** A piece of the answer. Pieces of one model message share `messageId`. */
const TokenEvent = defineEvent('token', { messageId: z.string(), text: z.string() });

/** A piece of the model's thinking, shown collapsed. */
const ReasoningEvent = defineEvent('reasoning', { messageId: z.string(), text: z.string() });

/** An image to show in the chat; its bytes are a file in the workspace of the thread. */
const ImageEvent = defineEvent('image', {
  index: z.int().nonnegative(),
  path: z.string(),
  mimeType: z.string(),
  bytes: z.int().nonnegative(),
  alt: z.string(),
  toolCallId: z.string().optional(),
});

/** How a piece of code ended, with the last part of its output. */
const CodeResultEvent = defineEvent('code_result', {
  toolCallId: z.string(),
  language: CodeLanguage,
  outcome: ExecutionOutcome,
  exitCode: z.int().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  durationMs: z.number().nonnegative(),
});

export const contentEvents = [TokenEvent, ReasoningEvent, ImageEvent, CodeResultEvent] as const;
