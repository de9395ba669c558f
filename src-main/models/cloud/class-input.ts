import type { ModelProfile } from '@langchain/core/language_models/profile';
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import type { ChatMessage, ToolCall } from '../types.ts';
import type { CloudProtocol } from './cloud-model.ts';

/** What every class of LangChain is given, whichever cloud it is for. */

/** The key goes out with the connection's own headers; the classes only insist on having one. */
export const UNUSED_KEY = 'unused';

/** Where the request goes is up to the connection. Given, so that no variable of the environment is read for it. */
export const UNUSED_ADDRESS = 'https://unused.invalid';

/** Longer than any run: the limits are those of the connection. It is the longest that a timer can take. */
export const UNUSED_TIMEOUT_MS = 2 ** 31 - 1;

/** Room for thinking, which clouds count as output. */
const THINKING_TOKENS = 16_000;

/** The output limit for an answer of `wanted` tokens by a model that thinks, does not, or may (null). */
export function outputLimit(
  wanted: number,
  { thinking, most }: { thinking: boolean | null; most: number | undefined },
): number {
  const limit = thinking === false ? wanted : wanted + THINKING_TOKENS;
  return Math.min(limit, most ?? limit);
}

/** What a class knows of its model; null for what it does not. */
export function factsOf(profile: ModelProfile): CloudProtocol['facts'] {
  return {
    trainedContext: profile.maxInputTokens ?? null,
    thinking: profile.reasoningOutput ?? null,
    vision: profile.imageInputs ?? null,
  };
}

/** An answer of the model in the form of its class; `thoughts` is what it wants back, empty if that is nothing. */
export type EncodeAnswer = (answer: {
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  readonly thoughts: readonly unknown[];
}) => ConstructorParameters<typeof AIMessage>[0];

/**
 * Our messages as LangChain's, for the model `modelKey`. Some clouds refuse empty messages: an empty answer is left
 * out, and an empty question says so.
 */
export function toLangChain(
  messages: readonly ChatMessage[],
  modelKey: string,
  encodeAnswer: EncodeAnswer,
): BaseMessage[] {
  return messages
    .filter((message) => message.role !== 'assistant' || !isEmpty(message))
    .map((message) => messageOf(message, modelKey, encodeAnswer));
}

function messageOf(
  message: ChatMessage,
  modelKey: string,
  encodeAnswer: EncodeAnswer,
): BaseMessage {
  switch (message.role) {
    case 'system':
      return new SystemMessage(message.content);
    case 'user':
      return questionOf(message);
    case 'assistant': {
      const { content, toolCalls = [] } = message;
      const replay = toolCalls[0]?.replay;
      const thoughts = replay?.model === modelKey ? (replay.value as unknown[]) : [];
      const text = content.trim() === '' ? '' : content;
      return new AIMessage(encodeAnswer({ content: text, toolCalls, thoughts }) as never);
    }
    case 'tool':
      return new ToolMessage({ content: message.content, tool_call_id: message.toolCallId });
  }
}

function isEmpty({
  content,
  toolCalls = [],
}: Extract<ChatMessage, { role: 'assistant' }>): boolean {
  return content.trim() === '' && toolCalls.length === 0;
}

function questionOf(message: Extract<ChatMessage, { role: 'user' }>): HumanMessage {
  const { content, images = [] } = message;
  if (images.length === 0) return new HumanMessage(content === '' ? '(empty)' : content);
  const text = content === '' ? [] : [{ type: 'text', text: content }];
  const parts = images.map(({ mimeType, data }) => ({
    type: 'image_url',
    image_url: { url: `data:${mimeType};base64,${data}`, detail: 'high' },
  }));
  return new HumanMessage({ content: [...text, ...parts] });
}

/** Calls as every class takes them. */
export function callsOf(toolCalls: readonly ToolCall[]) {
  return toolCalls.map(({ id, name, arguments: args }) => ({
    ...{ id, name, args, type: 'tool_call' as const },
  }));
}
