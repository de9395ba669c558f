import { ChatOpenAIResponses } from '@langchain/openai';
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

/** OpenAI's Responses API by `ChatOpenAIResponses`. */
export function openAiResponses(
  model: string,
  modelKey: string,
  asked: Thinking = null,
): CloudProtocol {
  const { profile } = new ChatOpenAIResponses({ model, apiKey: UNUSED_KEY });
  const facts = factsOf(profile);
  const { thinking } = facts;
  return {
    path: '/responses',
    messagesKey: 'input',
    facts,
    start: ({ messages, tools, format, temperature, maxOutputTokens }, fetch) => {
      const chat = new ChatOpenAIResponses({
        model,
        apiKey: UNUSED_KEY,
        configuration: { fetch, baseURL: UNUSED_ADDRESS, logLevel: 'off' },
        maxRetries: 0,
        timeout: UNUSED_TIMEOUT_MS,
        streaming: true,
        // What it thinks is shown as a summary, where the account may have one.
        ...(thinking !== false && {
          reasoning: asked === false ? { effort: 'none' as const } : { summary: 'auto' as const },
        }),
        // Nothing is stored there: thinking is sent back in encrypted form instead.
        zdrEnabled: true,
        supportsStrictToolCalling: false,
        ...(maxOutputTokens !== undefined && {
          maxTokens: outputLimit(maxOutputTokens, { thinking, most: profile.maxOutputTokens }),
        }),
        // Models that think refuse it.
        ...(thinking === false && temperature !== undefined && { temperature }),
      });
      return chat._streamResponseChunks(toLangChain(messages, modelKey, encodeAnswer), {
        ...(tools.length > 0 && { tools: encodeTools(tools) as never }),
        ...(format !== undefined && {
          response_format: {
            type: 'json_schema' as const,
            json_schema: { name: 'answer', schema: format },
          },
        }),
        ...(thinking !== false && { include: ['reasoning.encrypted_content' as const] }),
      } as never);
    },
    readWire: () => new ResponsesReader(),
  };
}

/** With its thinking, an answer is a list of items in the API's own form. */
const encodeAnswer: EncodeAnswer = ({ content, toolCalls, thoughts }) => {
  const text = content === '' ? [] : [{ type: 'text', text: content }];
  const answer = { content: text, tool_calls: callsOf(toolCalls) };
  if (thoughts.length === 0) return answer;
  const written = { type: 'output_text', text: content, annotations: [] };
  const output = [
    ...thoughts,
    ...text.map(() => ({ type: 'message', role: 'assistant', content: [written] })),
    ...toolCalls.map(({ id, name, arguments: args }) => ({
      ...{ type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) },
    })),
  ];
  return { ...answer, response_metadata: { output } };
};

/** The events of one response. */
class ResponsesReader implements WireReader {
  readonly #thoughts: unknown[] = [];
  readonly #arguments = new Map<string, string>();

  read({ type, item, response }: Readonly<Record<string, unknown>>): WireEvent {
    switch (type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
      case 'response.function_call_arguments.delta':
        return { kind: 'content' };
      case 'response.output_item.done':
        if (isRecord(item)) this.#keep(item);
        return { kind: 'other' };
      case 'response.completed':
        return { kind: 'end', finish: 'stop' };
      case 'response.incomplete': {
        const details = isRecord(response) ? response.incomplete_details : null;
        const reason = isRecord(details) ? String(details.reason) : 'unknown';
        return reason === 'max_output_tokens'
          ? { kind: 'end', finish: 'length' }
          : { kind: 'stopped', reason };
      }
      case 'response.cancelled':
        return { kind: 'stopped', reason: 'cancelled' };
      case 'response.failed':
      case 'error':
        return { kind: 'error' };
      default:
        return { kind: 'other' };
    }
  }

  replay(): unknown {
    return this.#thoughts.length > 0 ? this.#thoughts : undefined;
  }

  finalArguments(): ReadonlyMap<string, string> {
    return this.#arguments;
  }

  #keep({ status: _status, ...item }: Readonly<Record<string, unknown>>): void {
    const { type, encrypted_content, call_id } = item;
    if (type === 'reasoning' && typeof encrypted_content === 'string') this.#thoughts.push(item);
    if (type === 'function_call' && typeof item.arguments === 'string') {
      this.#arguments.set(String(call_id), item.arguments);
    }
  }
}
