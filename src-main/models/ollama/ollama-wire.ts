import { z } from 'zod';
import type { ChatMessage } from '../types.ts';

/**
 * The parts of Ollama's messages that the app uses. Ollama omits empty values and versions differ, so
 * every field may be missing; a field of the wrong type counts as missing.
 */
const text = z.string().nullish().catch(null);
const count = z.number().nonnegative().nullish().catch(null);

const WireCall = z.object({
  id: text,
  function: z.object({ name: z.string().catch(''), arguments: z.unknown().optional() }),
});

export const ChatChunk = z.object({
  message: z
    .object({
      content: text,
      thinking: text,
      tool_calls: z.array(WireCall).nullish().catch(null),
    })
    .nullish(),
  done: z.boolean().nullish().catch(null),
  done_reason: text,
  error: z.unknown().optional(),
  prompt_eval_count: count,
  eval_count: count,
  /** Nanoseconds. */
  load_duration: count,
});
export type ChatChunk = z.infer<typeof ChatChunk>;

export const ShowAnswer = z.object({
  capabilities: z.array(z.string()).nullish().catch(null),
  model_info: z.record(z.string(), z.unknown()).nullish().catch(null),
  /** Lines such as `num_ctx   4096`. */
  parameters: text,
  modified_at: text,
  remote_model: text,
  remote_host: text,
});
export type ShowAnswer = z.infer<typeof ShowAnswer>;

export const TagsAnswer = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      size: count,
      capabilities: z.array(z.string()).nullish().catch(null),
      details: z.object({ context_length: count }).nullish().catch(null),
      remote_model: text,
      remote_host: text,
    }),
  ),
});
export type TagsModel = z.infer<typeof TagsAnswer>['models'][number];

/**
 * A message as `/api/chat` expects it: content is always a string, arguments are an object, images are a
 * separate field, and a result names its tool and its call.
 */
export function encodeOllamaMessage(
  message: ChatMessage,
  { withReasoning }: { withReasoning: boolean },
): unknown {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user': {
      const images = message.images?.map((image) => image.data) ?? [];
      return { role: 'user', content: message.content, ...(images.length > 0 ? { images } : {}) };
    }
    case 'assistant': {
      const calls = message.toolCalls ?? [];
      const thinking = withReasoning && calls.length > 0 ? message.reasoning : undefined;
      return {
        role: 'assistant',
        content: message.content,
        ...(thinking ? { thinking } : {}),
        ...(calls.length > 0
          ? {
              tool_calls: calls.map(({ id, name, arguments: args }) => ({
                id,
                function: { name, arguments: args },
              })),
            }
          : {}),
      };
    }
    case 'tool':
      return {
        role: 'tool',
        content: message.content,
        tool_name: message.toolName,
        tool_call_id: message.toolCallId,
      };
  }
}
