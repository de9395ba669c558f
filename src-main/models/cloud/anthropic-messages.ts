import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { ChatAnthropic } from '@langchain/anthropic';
import { isRecord } from '../json-text.ts';
import { encodeTools } from '../request-composer.ts';
import type { Thinking } from '../thinking-switch.ts';
import {
  callsOf,
  type EncodeAnswer,
  factsOf,
  outputLimit,
  toLangChain,
  UNUSED_ADDRESS,
  UNUSED_KEY,
  UNUSED_TIMEOUT_MS,
} from './class-input.ts';
import type { CloudProtocol } from './cloud-model.ts';
import type { WireEvent, WireReader } from './stream-guard.ts';

/** The API requires a limit. An answer of this size is never wanted, and models may think before it. */
const OUTPUT_TOKENS = 16_000;

/** Anthropic's Messages API by `ChatAnthropic`. */
export function anthropicMessages(
  model: string,
  modelKey: string,
  asked: Thinking = null,
): CloudProtocol {
  const { profile } = new ChatAnthropic({ model, apiKey: UNUSED_KEY });
  const facts = factsOf(profile);
  const { thinking } = facts;
  return {
    path: '/messages',
    messagesKey: 'messages',
    facts,
    start: ({ messages, tools, format, temperature, maxOutputTokens = OUTPUT_TOKENS }, fetch) => {
      const chat = new ChatAnthropic({
        model,
        apiKey: UNUSED_KEY,
        anthropicApiUrl: UNUSED_ADDRESS,
        clientOptions: { fetch, timeout: UNUSED_TIMEOUT_MS, logLevel: 'off' },
        maxRetries: 0,
        streaming: true,
        maxTokens: outputLimit(maxOutputTokens, { thinking, most: profile.maxOutputTokens }),
        ...(thinking !== false &&
          asked !== null && { thinking: { type: asked ? 'adaptive' : 'disabled' } as const }),
        // Models that think refuse it.
        ...(thinking === false && temperature !== undefined && { temperature }),
      });
      return chat._streamResponseChunks(toLangChain(messages, modelKey, encodeAnswer), {
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
      } as never);
    },
    readWire: () => new MessagesReader(),
  };
}

const encodeAnswer: EncodeAnswer = ({ content, toolCalls, thoughts }) => {
  const text = content === '' ? [] : [{ type: 'text', text: content }];
  return { content: [...(thoughts as never[]), ...text], tool_calls: callsOf(toolCalls) };
};

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
