import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { ChatAnthropic } from '@langchain/anthropic';
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { isRecord } from '../json-text.ts';
import { encodeTools } from '../request-composer.ts';
import type { ChatMessage } from '../types.ts';
import { outputLimit, UNUSED_ADDRESS, UNUSED_KEY, UNUSED_TIMEOUT_MS } from './class-options.ts';
import type { CloudProtocol } from './cloud-model.ts';
import type { WireEvent, WireReader } from './stream-guard.ts';

/** The API requires a limit. An answer of this size is never wanted, and models may think before it. */
const OUTPUT_TOKENS = 16_000;

/** Anthropic's Messages API by `ChatAnthropic`. */
export function anthropicMessages(model: string, modelKey: string): CloudProtocol {
  const { profile } = new ChatAnthropic({ model, apiKey: UNUSED_KEY });
  const thinking = profile.reasoningOutput ?? null;
  return {
    path: '/messages',
    messagesKey: 'messages',
    facts: {
      trainedContext: profile.maxInputTokens ?? null,
      thinking,
      vision: profile.imageInputs ?? null,
    },
    start: ({ messages, tools, format, temperature, maxOutputTokens = OUTPUT_TOKENS }, fetch) => {
      const chat = new ChatAnthropic({
        model,
        apiKey: UNUSED_KEY,
        anthropicApiUrl: UNUSED_ADDRESS,
        clientOptions: { fetch, timeout: UNUSED_TIMEOUT_MS, logLevel: 'off' },
        maxRetries: 0,
        streaming: true,
        maxTokens: outputLimit(maxOutputTokens, { thinking, most: profile.maxOutputTokens }),
        // Models that think refuse it.
        ...(thinking === false && temperature !== undefined && { temperature }),
      });
      return chat._streamResponseChunks(
        messages.flatMap((message) => toLangChain(message, modelKey)),
        {
          // Without this mark nothing is cached there.
          cache_control: { type: 'ephemeral' },
          ...(tools.length > 0 && { tools: encodeTools(tools) as never }),
          ...(format !== undefined && {
            outputConfig: {
              format: {
                type: 'json_schema' as const,
                schema: transformJSONSchema(format as never),
              },
            },
          }),
        } as never,
      );
    },
    readWire: () => new MessagesReader(),
  };
}

/** Empty messages are refused there: an empty answer is left out, and an empty question says so. */
function toLangChain(message: ChatMessage, modelKey: string): BaseMessage[] {
  switch (message.role) {
    case 'system':
      return [new SystemMessage(message.content)];
    case 'user': {
      const { images = [] } = message;
      const content = message.content === '' && images.length === 0 ? '(empty)' : message.content;
      if (images.length === 0) return [new HumanMessage(content)];
      const text = content === '' ? [] : [{ type: 'text', text: content }];
      const parts = images.map(({ mimeType, data }) => ({
        type: 'image_url',
        image_url: { url: `data:${mimeType};base64,${data}` },
      }));
      return [new HumanMessage({ content: [...text, ...parts] })];
    }
    case 'assistant': {
      const { content, toolCalls = [] } = message;
      const text = content.trim() === '' ? [] : [{ type: 'text', text: content }];
      if (text.length + toolCalls.length === 0) return [];
      const tool_calls = toolCalls.map(({ id, name, arguments: args }) => ({
        ...{ id, name, args, type: 'tool_call' as const },
      }));
      const replay = toolCalls[0]?.replay;
      const thoughts = replay?.model === modelKey ? (replay.value as never[]) : [];
      return [new AIMessage({ content: [...thoughts, ...text], tool_calls })];
    }
    case 'tool':
      return [new ToolMessage({ content: message.content, tool_call_id: message.toolCallId })];
  }
}

interface Thought {
  readonly type: 'thinking';
  thinking: string;
  signature: string;
}

/** The events of one message. */
class MessagesReader implements WireReader {
  /** Blocks of thinking by their index, in order. Hidden ones stay as they came. */
  readonly #thoughts = new Map<unknown, Thought | Record<string, unknown>>();

  read(event: Readonly<Record<string, unknown>>): WireEvent {
    switch (event.type) {
      case 'content_block_start':
        this.#begin(event);
        return { kind: 'other' };
      case 'content_block_delta':
        this.#extend(event);
        return { kind: 'content' };
      case 'message_delta':
        return isRecord(event.delta) ? endOf(event.delta.stop_reason) : { kind: 'other' };
      case 'error':
        return { kind: 'error' };
      default:
        return { kind: 'other' };
    }
  }

  replay(): unknown {
    const signed = [...this.#thoughts.values()].filter((block) => block.signature !== '');
    return signed.length > 0 ? signed : undefined;
  }

  /** The protocol sends arguments in pieces only. */
  finalArguments(): ReadonlyMap<string, string> {
    return new Map();
  }

  #begin({ index, content_block: block }: Readonly<Record<string, unknown>>): void {
    if (!isRecord(block)) return;
    if (block.type === 'redacted_thinking') this.#thoughts.set(index, block);
    if (block.type === 'thinking') {
      const { thinking, signature } = block;
      this.#thoughts.set(index, {
        type: 'thinking',
        thinking: typeof thinking === 'string' ? thinking : '',
        signature: typeof signature === 'string' ? signature : '',
      });
    }
  }

  #extend({ index, delta }: Readonly<Record<string, unknown>>): void {
    const thought = this.#thoughts.get(index) as Thought | undefined;
    if (thought === undefined || !isRecord(delta)) return;
    if (typeof delta.thinking === 'string') thought.thinking += delta.thinking;
    if (typeof delta.signature === 'string') thought.signature += delta.signature;
  }
}

function endOf(reason: unknown): WireEvent {
  switch (reason) {
    case null:
    case undefined:
      return { kind: 'other' };
    case 'end_turn':
    case 'tool_use':
    case 'stop_sequence':
      return { kind: 'end', finish: 'stop' };
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return { kind: 'end', finish: 'length' };
    default:
      return { kind: 'stopped', reason: String(reason) };
  }
}
