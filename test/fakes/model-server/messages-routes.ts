import { viewRequest } from '#main/models/script/script.ts';
import { ApiError, checkParameters, cutInto, type Json, refusing } from './api.ts';
import { newCallId } from './ollama-wire.ts';
import type { FakeModel, WireCall } from './options.ts';
import { play } from './playback.ts';
import type { Exchange, Handler, Parts } from './server.ts';
import { type CountedMessage, fitPrompt } from './tokens.ts';
import { Sender, type Wire } from './wire.ts';

/** Anthropic's Messages API: it streams only, and checks what the real one checks. */
export const MESSAGES_ROUTES: Readonly<Record<string, Handler>> = {
  'POST /v1/messages': refusing(answer),
};

type Viewed = CountedMessage & { toolName?: string };

async function answer(exchange: Exchange, parts: Parts): Promise<void> {
  const { recorded, response } = exchange;
  const request = (recorded.json ?? {}) as Json;
  if (recorded.headers['anthropic-version'] === undefined) {
    throw new ApiError(400, 'anthropic-version: header is required');
  }
  if (!Number.isInteger(request.max_tokens)) throw new ApiError(400, 'max_tokens: Field required');
  const name = String(request.model ?? '');
  const model = parts.library.find(name);
  if (model === undefined) throw new ApiError(404, `model: ${name}`, 'not_found_error');
  const messages = readMessages(request.messages);
  checkParameters(request, parts);
  const system: Viewed = { role: 'system', content: JSON.stringify(request.system ?? '') };
  const tools = Array.isArray(request.tools) ? request.tools : [];
  const prompt = fitPrompt([system, ...messages], tools, { window: Number.MAX_SAFE_INTEGER });
  recorded.promptTokens = prompt.whole;
  const steps = parts.player.next(viewRequest(model.name, messages));
  if (steps === null)
    throw new ApiError(500, 'the script of this server is exhausted', 'api_error');
  const wire = createMessagesWire(model, prompt.whole);
  await play(steps, {
    wire,
    sender: new Sender(response, wire.contentType),
    promptTokens: prompt.whole,
  });
}

/** Results come as messages of the user; a question is one without results. */
function readMessages(value: unknown): Viewed[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new ApiError(400, 'messages: at least one message is required');
  }
  const names = new Map<unknown, string>();
  const messages: Viewed[] = [];
  for (const [at, { role, content }] of (value as readonly Json[]).entries()) {
    if (role !== 'user' && role !== 'assistant')
      throw new ApiError(400, `messages.${at}.role: invalid`);
    if (content === '' || (Array.isArray(content) && content.length === 0)) {
      throw new ApiError(400, `messages.${at}: all messages must have non-empty content`);
    }
    const blocks = (
      typeof content === 'string' ? [{ type: 'text', text: content }] : content
    ) as Json[];
    const text = blocks.map((block) => (block.type === 'text' ? String(block.text) : '')).join('');
    for (const block of blocks) {
      checkBlock(block, `messages.${at}`);
      if (block.type === 'tool_use') names.set(block.id, String(block.name));
    }
    const results = blocks.filter(({ type }) => type === 'tool_result');
    for (const result of results) {
      const toolName = names.get(result.tool_use_id);
      if (toolName === undefined) {
        throw new ApiError(
          400,
          `messages.${at}: unexpected tool_use_id found in tool_result blocks`,
        );
      }
      messages.push({ role: 'tool', content: String(result.content), toolName });
    }
    if (results.length === 0) messages.push({ role, content: text });
  }
  return messages;
}

function checkBlock(block: Json, at: string): void {
  if (block.type === 'text' && String(block.text).trim() === '') {
    throw new ApiError(400, `${at}: text content blocks must be non-empty`);
  }
  if (block.type === 'thinking' && block.signature !== `signed:${String(block.thinking)}`) {
    throw new ApiError(400, `${at}: Invalid \`signature\` in \`thinking\` block`);
  }
  if (block.type === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(String(block.id))) {
    throw new ApiError(400, `${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
  }
  if (block.type === 'tool_use' && (typeof block.input !== 'object' || block.input === null)) {
    throw new ApiError(400, `${at}.tool_use.input: Input should be a valid dictionary`);
  }
}

/** Events as the API sends them: blocks start, grow and stop, one after another. */
function createMessagesWire(model: FakeModel, promptTokens: number): Wire {
  let hasStarted = false;
  let index = 0;
  let open: { type: 'text' | 'thinking'; text: string } | null = null;
  let hasCalls = false;
  const event = (type: string, fields: Json): string => {
    const first: string = hasStarted ? '' : start();
    return `${first}event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  };
  const start = (): string => {
    hasStarted = true;
    const usage = { input_tokens: promptTokens, output_tokens: 1 };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: model.name };
    const begin = { ...message, content: [], stop_reason: null, stop_sequence: null, usage };
    return `${event('message_start', { message: begin })}${event('ping', {})}`;
  };
  const delta = (fields: Json): string => event('content_block_delta', { index, delta: fields });
  const stop = (): string => {
    const text = event('content_block_stop', { index });
    index += 1;
    return text;
  };
  const close = (): string => {
    if (open === null) return '';
    const { type, text } = open;
    open = null;
    const signature =
      type === 'thinking' ? delta({ type: 'signature_delta', signature: `signed:${text}` }) : '';
    return `${signature}${stop()}`;
  };
  const extend = (type: 'text' | 'thinking', text: string): string => {
    const before = open?.type === type ? '' : close();
    let begun = '';
    if (open === null) {
      open = { type, text: '' };
      const content_block =
        type === 'text' ? { type, text: '' } : { type, thinking: '', signature: '' };
      begun = event('content_block_start', { index, content_block });
    }
    open.text += text;
    return `${before}${begun}${delta({ type: `${type}_delta`, [type]: text })}`;
  };
  const call = ({ name, arguments: args, id, rawArguments, pieces = 1 }: WireCall): string => {
    hasCalls = true;
    const content_block = { type: 'tool_use', id: id ?? newCallId(), name, input: {} };
    const begun = event('content_block_start', { index, content_block });
    const deltas = cutInto(rawArguments ?? JSON.stringify(args), pieces).map((partial_json) =>
      delta({ type: 'input_json_delta', partial_json }),
    );
    return `${begun}${deltas.join('')}${stop()}`;
  };
  return {
    contentType: 'text/event-stream',
    thinking: (text) => extend('thinking', text),
    text: (text) => extend('text', text),
    both: (thinking, text) => `${extend('thinking', thinking)}${extend('text', text)}`,
    calls: (calls) => `${close()}${calls.map(call).join('')}`,
    errorLine: (message) => event('error', { error: { type: 'api_error', message } }),
    errorBody: (message) =>
      JSON.stringify({ type: 'error', error: { type: 'api_error', message } }),
    finish: (reason, metrics) => {
      const closed = close();
      const stop_reason = reason === 'length' ? 'max_tokens' : hasCalls ? 'tool_use' : 'end_turn';
      const usage = { output_tokens: metrics?.eval ?? 0 };
      const end = event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage });
      return `${closed}${end}${event('message_stop', {})}`;
    },
  };
}
