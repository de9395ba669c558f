import { z } from 'zod';
import { isRecord } from '../json-text.ts';
import type { ChatMessage, ToolCall } from '../types.ts';

/**
 * The parts of OpenAI's chat protocol that the app uses. Servers omit different fields, so every field may
 * be missing; a field of the wrong type counts as missing.
 */
const text = z.string().nullish().catch(null);
const count = z.number().nonnegative().nullish().catch(null);

const modalities = z.array(z.string()).nullish().catch(null);

const CallFragment = z.object({
  index: z.number().int().nullish().catch(null),
  id: text,
  function: z
    .object({
      name: text,
      /** A string in pieces; some servers send the whole object. */
      arguments: z.unknown().optional(),
    })
    .nullish()
    .catch(null),
  /** Gemini's signature of its thinking; it refuses the call's result without it. */
  extra_content: z.unknown().optional(),
});
export type CallFragment = z.infer<typeof CallFragment>;

const Delta = z.object({
  /** Text, or parts of which some are text (Mistral). */
  content: z.unknown().optional(),
  reasoning: text,
  reasoning_content: text,
  thinking: text,
  /** OpenRouter: blocks of thinking, in pieces, which some models demand back with the results of their calls. */
  reasoning_details: z.array(z.record(z.string(), z.unknown())).nullish().catch(null),
  tool_calls: z.array(CallFragment).nullish().catch(null),
});
export type Delta = z.infer<typeof Delta>;

export const Completion = z.object({
  choices: z
    .array(
      z.object({
        index: z.number().nullish().catch(null),
        delta: Delta.nullish().catch(null),
        /** In place of `delta` if the server does not stream. */
        message: Delta.nullish().catch(null),
        finish_reason: text,
      }),
    )
    .nullish()
    .catch(null),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish().catch(null),
});
export type Completion = z.infer<typeof Completion>;

export const ModelList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      owned_by: text,
      /** vLLM. */
      max_model_len: count,
      /** Several gateways. */
      context_length: count,
      /** Anthropic. */
      max_input_tokens: count,
      /** OpenRouter; other gateways at the top. */
      architecture: z.object({ input_modalities: modalities }).nullish().catch(null),
      input_modalities: modalities,
      /** Mistral, Anthropic. */
      capabilities: z.unknown().optional(),
      /** llama.cpp. */
      meta: z.object({ n_ctx: count, n_ctx_train: count }).nullish().catch(null),
    }),
  ),
});
export type ListedModel = z.infer<typeof ModelList>['data'][number];

/** Text of a `content` field in any of its forms. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) =>
      typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
        ? part.text
        : '',
    )
    .join('');
}

/** Thinking in the parts of a `content` field (Mistral), or in blocks of thinking (OpenRouter). */
export function partsThinking(parts: unknown): string {
  if (!Array.isArray(parts)) return '';
  return parts
    .map((part: unknown) => {
      if (!isRecord(part)) return '';
      if (part.type === 'thinking') {
        return typeof part.thinking === 'string' ? part.thinking : contentText(part.thinking);
      }
      const text = { 'reasoning.text': part.text, 'reasoning.summary': part.summary }[
        String(part.type)
      ];
      return typeof text === 'string' ? text : '';
    })
    .join('');
}

/** What a model of this protocol may want back: fields of the message, and of its call. */
export interface OpenAiReplay {
  readonly reasoning_details?: readonly unknown[];
  readonly extra_content?: unknown;
}

/** Fields that may have a model's thinking; `content` for parts of the text's own field. */
export const REASONING_KEYS = ['reasoning_content', 'reasoning', 'thinking', 'content'] as const;
export type ReasoningKey = (typeof REASONING_KEYS)[number];

export interface OpenAiEncoding {
  readonly withReasoning: boolean;
  /** The key under which this server sent its thinking; null while it sent none. */
  readonly reasoningKey: ReasoningKey | null;
  /** The model as `provider:name`: it gets back what it sent with its calls. */
  readonly modelKey: string;
}

/** A message as `/chat/completions` expects it: arguments are a JSON string, images are parts. */
export function encodeOpenAiMessage(message: ChatMessage, encoding: OpenAiEncoding): unknown {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user': {
      const images = message.images ?? [];
      if (images.length === 0) return { role: 'user', content: message.content };
      const parts = images.map(({ mimeType, data }) => ({
        type: 'image_url',
        image_url: { url: `data:${mimeType};base64,${data}` },
      }));
      return { role: 'user', content: [{ type: 'text', text: message.content }, ...parts] };
    }
    case 'assistant': {
      const calls = message.toolCalls ?? [];
      const { withReasoning, reasoningKey, modelKey } = encoding;
      const replayOf = ({ replay }: ToolCall): OpenAiReplay =>
        replay?.model === modelKey ? (replay.value as OpenAiReplay) : {};
      const details = calls[0] === undefined ? undefined : replayOf(calls[0]).reasoning_details;
      const hasReasoning = withReasoning && calls.length > 0 && reasoningKey !== null;
      // Where there are blocks of thinking, they are the same thinking.
      const reasoning = hasReasoning && !details ? message.reasoning : undefined;
      return {
        role: 'assistant',
        content: message.content,
        ...(details && { reasoning_details: details }),
        ...(reasoning ? writtenThinking(reasoning, reasoningKey, message.content) : {}),
        ...(calls.length > 0
          ? {
              tool_calls: calls.map((call) => {
                const { extra_content } = replayOf(call);
                return {
                  id: call.id,
                  type: 'function',
                  function: { name: call.name, arguments: JSON.stringify(call.arguments) },
                  ...(extra_content !== undefined && { extra_content }),
                };
              }),
            }
          : {}),
      };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
}

/** The fields of a message with its thinking, where its server has it. */
function writtenThinking(
  thinking: string,
  key: ReasoningKey | null,
  content: string,
): Readonly<Record<string, unknown>> {
  if (key === null) return {};
  if (key !== 'content') return { [key]: thinking };
  const text = content === '' ? [] : [{ type: 'text', text: content }];
  return {
    content: [{ type: 'thinking', thinking: [{ type: 'text', text: thinking }] }, ...text],
  };
}
