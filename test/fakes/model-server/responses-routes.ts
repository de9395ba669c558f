import { viewRequest } from '#main/models/script/script.ts';
import { ApiError, checkParameters, cutInto, type Json, refusing } from './api.ts';
import { newCallId } from './ollama-wire.ts';
import type { FakeModel, WireCall } from './options.ts';
import { play } from './playback.ts';
import type { Exchange, Handler, Parts } from './server.ts';
import { type CountedMessage, fitPrompt } from './tokens.ts';
import { Sender, type Wire } from './wire.ts';

/** OpenAI's Responses API: it streams only, stores nothing, and checks what the real one checks. */
export const RESPONSES_ROUTES: Readonly<Record<string, Handler>> = {
  'POST /v1/responses': refusing(respond),
};

async function respond(exchange: Exchange, parts: Parts): Promise<void> {
  const { recorded, response } = exchange;
  const request = (recorded.json ?? {}) as Json;
  const name = String(request.model ?? '');
  const model = parts.library.find(name);
  if (model === undefined) {
    throw new ApiError(400, `The requested model '${name}' does not exist.`, 'model_not_found');
  }
  const messages = readInput(request.input);
  const tools = Array.isArray(request.tools) ? request.tools : [];
  checkParameters(request, parts);
  const prompt = fitPrompt(messages, tools, { window: Number.MAX_SAFE_INTEGER });
  recorded.promptTokens = prompt.whole;
  const steps = parts.player.next(viewRequest(model.name, messages));
  if (steps === null)
    throw new ApiError(500, 'the script of this server is exhausted', 'api_error');
  const wire = createResponsesWire(model);
  await play(steps, {
    wire,
    sender: new Sender(response, wire.contentType),
    promptTokens: prompt.whole,
  });
}

function readInput(input: unknown): (CountedMessage & { toolName?: string })[] {
  if (!Array.isArray(input) || input.length === 0) throw new ApiError(400, "Missing 'input'.");
  const names = new Map<unknown, string>();
  const messages: (CountedMessage & { toolName?: string })[] = [];
  let isAnswer = false;
  for (const item of input as readonly Json[]) {
    const wasAnswer = isAnswer;
    isAnswer =
      item.type === 'function_call' || item.type === 'reasoning' || item.role === 'assistant';
    if (item.type === 'function_call') {
      names.set(item.call_id, String(item.name));
      JSON.parse(String(item.arguments));
    } else if (item.type === 'function_call_output') {
      const toolName = names.get(item.call_id);
      if (toolName === undefined) {
        throw new ApiError(
          400,
          `No tool call found for function call output with call_id ${String(item.call_id)}.`,
        );
      }
      messages.push({ role: 'tool', content: String(item.output), toolName });
    } else if (item.type === 'message') {
      if (item.role !== 'assistant')
        messages.push({ role: String(item.role), content: textOf(item.content) });
    } else if (item.type === 'reasoning') {
      if (typeof item.encrypted_content !== 'string') {
        throw new ApiError(404, `Item with id '${String(item.id)}' not found.`, 'not_found_error');
      }
    } else throw new ApiError(400, `Invalid value: '${String(item.type)}'.`);
    // The items of one answer count as one message of the model.
    if (isAnswer && !wasAnswer) messages.push({ role: 'assistant', content: '' });
  }
  return messages;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return (content as readonly Json[]).map((part) => String(part.text ?? '')).join('');
}

/** Events as the API sends them: each item is added, extended, and done as a whole. */
function createResponsesWire(model: FakeModel): Wire {
  let sequence = 0;
  let open: { type: 'message' | 'reasoning'; text: string } | null = null;
  const output: Json[] = [];
  const base = { id: 'resp_1', object: 'response', model: model.name };
  const event = (type: string, fields: Json): string => {
    const start = sequence === 0 && type !== 'response.created';
    const first: string = start
      ? event('response.created', { response: { ...base, output: [] } })
      : '';
    const data = JSON.stringify({ type, sequence_number: sequence, ...fields });
    sequence += 1;
    return `${first}event: ${type}\ndata: ${data}\n\n`;
  };
  const at = (): Json => ({ output_index: output.length, item_id: `item_${output.length}` });
  const done = (item: Json): string => {
    const text = event('response.output_item.done', { ...at(), item });
    output.push(item);
    return text;
  };
  const close = (): string => {
    if (open === null) return '';
    const { type, text } = open;
    open = null;
    if (type === 'reasoning') {
      const summary = [{ type: 'summary_text', text }];
      return done({
        type,
        id: `rs_${output.length}`,
        summary,
        encrypted_content: `sealed:${text}`,
      });
    }
    const content = [{ type: 'output_text', text, annotations: [] }];
    return done({
      type,
      id: `msg_${output.length}`,
      role: 'assistant',
      status: 'completed',
      content,
    });
  };
  const extend = (type: 'message' | 'reasoning', delta: string): string => {
    const before = open?.type === type ? '' : close();
    let begun = '';
    if (open === null) {
      open = { type, text: '' };
      const item =
        type === 'reasoning'
          ? { type, id: `rs_${output.length}`, summary: [] }
          : {
              type,
              id: `msg_${output.length}`,
              role: 'assistant',
              status: 'in_progress',
              content: [],
            };
      begun = event('response.output_item.added', { ...at(), item });
    }
    open.text += delta;
    const kind = type === 'reasoning' ? 'reasoning_summary_text' : 'output_text';
    const place = type === 'reasoning' ? { summary_index: 0 } : { content_index: 0 };
    return `${before}${begun}${event(`response.${kind}.delta`, { ...at(), ...place, delta })}`;
  };
  const call = ({ name, arguments: args, id, rawArguments, pieces = 1 }: WireCall): string => {
    const whole = rawArguments ?? JSON.stringify(args);
    const call_id = id ?? newCallId();
    const item = { type: 'function_call', id: `fc_${output.length}`, call_id, name };
    const begun = event('response.output_item.added', {
      ...at(),
      item: { ...item, arguments: '' },
    });
    const deltas = cutInto(whole, pieces).map((delta) =>
      event('response.function_call_arguments.delta', { ...at(), delta }),
    );
    return `${begun}${deltas.join('')}${done({ ...item, arguments: whole, status: 'completed' })}`;
  };
  return {
    contentType: 'text/event-stream',
    thinking: (text) => extend('reasoning', text),
    text: (text) => extend('message', text),
    both: (thinking, text) => `${extend('reasoning', thinking)}${extend('message', text)}`,
    calls: (calls) => `${close()}${calls.map(call).join('')}`,
    errorLine: (message) => event('error', { code: 'server_error', message, param: null }),
    errorBody: (message) =>
      JSON.stringify({ error: { message, type: 'server_error', param: null, code: null } }),
    finish: (reason, metrics) => {
      const closed = close();
      const usage =
        metrics === null
          ? null
          : {
              input_tokens: metrics.prompt,
              output_tokens: metrics.eval,
              total_tokens: metrics.prompt + metrics.eval,
              input_tokens_details: { cached_tokens: 0 },
              output_tokens_details: { reasoning_tokens: 0 },
            };
      const type = reason === 'length' ? 'incomplete' : 'completed';
      const incomplete_details = reason === 'length' ? { reason: 'max_output_tokens' } : null;
      const response = { ...base, status: type, output, usage, incomplete_details };
      return `${closed}${event(`response.${type}`, { response })}`;
    },
  };
}
