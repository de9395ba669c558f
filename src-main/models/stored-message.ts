import { z } from 'zod';
import { PictureRef } from './pictures/picture-ref.ts';
import type { ChatMessage } from './types.ts';

export const StoredCall = z.object({
  id: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  replay: z.object({ model: z.string(), value: z.unknown() }).exactOptional(),
});

const StoredMessage = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string() }),
  z.object({
    role: z.literal('user'),
    content: z.string(),
    images: z.array(z.object({ mimeType: z.string(), data: z.string() })).exactOptional(),
    pictures: z.array(PictureRef).exactOptional(),
  }),
  z.object({
    role: z.literal('assistant'),
    content: z.string(),
    reasoning: z.string().exactOptional(),
    toolCalls: z.array(StoredCall).exactOptional(),
  }),
  z.object({
    role: z.literal('tool'),
    content: z.string(),
    toolCallId: z.string(),
    toolName: z.string(),
    pictures: z.array(PictureRef).exactOptional(),
  }),
]);

/** Parses a stored message of a transcript. Throws on anything that no version of the app has written. */
export function parseStoredMessage(stored: unknown): ChatMessage {
  return StoredMessage.parse(stored);
}
