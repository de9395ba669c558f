import type { ServerResponse } from 'node:http';
import { viewRequest } from '#main/models/script/script.ts';
import { ApiError, checkParameters, cutInto, type Json, refusing, send } from './api.ts';
import { fakeEmbedding } from './embeddings.ts';
import { withTag } from './library.ts';
import { newCallId } from './ollama-wire.ts';
import type { FakeModel, ServerOptions, WireCall } from './options.ts';
import { play } from './playback.ts';
import type { Exchange, Handler, Parts } from './server.ts';
import { type CountedMessage, fitPrompt } from './tokens.ts';
import { type Metrics, Sender, type Wire } from './wire.ts';

/** OpenAI's endpoints, with Ollama's habits unless the options say otherwise. */
export const OPENAI_ROUTES: Readonly<Record<string, Handler>> = {
  'GET /v1/models': refusing(async (exchange, { library, options }) => {
    send(exchange, 200, {
      object: 'list',
      data: library.installed.map((model) => listed(model, options)),
    });
  }),
  'GET /props': refusing(async (exchange, { library, options }) => {
    const { windowKey, visionKey } = options.v1;
    if (![windowKey, visionKey].includes('props')) throw new ApiError(404, 'not found');
    send(exchange, 200, {
      default_generation_settings: { n_ctx: options.defaultContext },
      ...(visionKey === 'props' && {
        modalities: { vision: library.installed.every(sees), audio: false },
      }),
    });
  }),
  // LM Studio's own API.
  'GET /api/v1/models': refusing(async (exchange, { library, options }) => {
    const { windowKey, visionKey } = options.v1;
    if (windowKey !== 'instances' && visionKey !== 'lm-studio') {
      throw new ApiError(404, 'not found');
    }
    const config = { context_length: options.defaultContext };
    const models = library.installed.map((model) => ({
      ...{ key: model.name, max_context_length: options.defaultContext * 8 },
      loaded_instances: [{ id: model.name, config }],
      ...(visionKey === 'lm-studio' && { capabilities: { vision: sees(model) } }),
    }));
    send(exchange, 200, { models });
  }),
  // Its older one.
  'GET /api/v0/models': refusing(async (exchange, { library, options }) => {
    if (options.v1.visionKey !== 'older-lm-studio') throw new ApiError(404, 'not found');
    const data = library.installed.map((model) => ({
      ...{ id: model.name, object: 'model', type: sees(model) ? 'vlm' : 'llm' },
    }));
    send(exchange, 200, { object: 'list', data });
  }),
  'POST /v1/chat/completions': refusing(chat),
  'POST /v1/embeddings': refusing(async (exchange, { library, options }) => {
    const { model, input } = (exchange.recorded.json ?? {}) as Json;
    if (library.find(String(model)) === undefined) {
      throw new ApiError(404, `model '${String(model)}' not found`);
    }
    const texts = Array.isArray(input) ? input.map(String) : [String(input)];
    const data = texts.map((text, index) => ({
      ...{ object: 'embedding', index, embedding: fakeEmbedding(text, options.synonyms) },
    }));
    // The protocol promises no order.
    send(exchange, 200, { object: 'list', model, data: data.reverse() });
  }),
};

const sees = ({ capabilities }: FakeModel): boolean => capabilities.includes('vision');

async function chat(exchange: Exchange, parts: Parts): Promise<void> {
  const { recorded, response } = exchange;
  const request = recorded.json as Json | undefined;
  if (typeof request !== 'object' || request === null) {
    throw new ApiError(400, 'invalid character looking for beginning of value');
  }
  const messages = readMessages(request.messages);
  const name = String(request.model ?? '');
  const model = parts.library.find(name);
  if (model === undefined) throw new ApiError(404, `model '${name}' not found`);
  const tools = Array.isArray(request.tools) ? request.tools : [];
  if (tools.length > 0 && !model.capabilities.includes('tools')) {
    throw new ApiError(
      400,
      `registry.ollama.ai/library/${withTag(model.name)} does not support tools`,
    );
  }
  checkParameters(request, parts);
  // No window can be asked for here: it is the server's own.
  const { numCtx } = await parts.library.load(model, null);
  const prompt = fitPrompt(messages, tools, { window: numCtx });
  recorded.promptTokens = prompt.whole;
  recorded.dropped = prompt.dropped;
  if (response.destroyed) return;
  const steps = parts.player.next(viewRequest(model.name, messages));
  if (steps === null)
    throw new ApiError(500, 'the script of this server is exhausted', 'api_error');
  const streamOptions = request.stream_options as Json | undefined;
  const wire = createOpenAiWire(model, {
    v1: parts.options.v1,
    hasTools: tools.length > 0,
    includeUsage: request.stream !== true || streamOptions?.include_usage === true,
  });
  const sender = new Sender(response, wire.contentType);
  if (request.stream !== true) joinInto(sender, response);
  await play(steps, { wire, sender, promptTokens: prompt.fitted });
}

/** Without `stream: true` the same answer goes out as one object. */
function joinInto(sender: Sender, response: ServerResponse): void {
  const events: Json[] = [];
  sender.send = async (data) => {
    for (const line of data.toString().split('\n')) {
      if (line.startsWith('data: {')) events.push(JSON.parse(line.slice(6)) as Json);
    }
  };
  sender.end = () => {
    const choices = events.map((event) => (event.choices as Json[])[0] ?? {});
    const deltas = choices.map((choice) => (choice.delta ?? {}) as Json);
    const calls = deltas.flatMap((delta) => (delta.tool_calls ?? []) as unknown[]);
    const message = {
      role: 'assistant',
      content: deltas.map((delta) => delta.content ?? '').join(''),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    const finish_reason = choices.findLast((choice) => choice.finish_reason)?.finish_reason;
    const usage = events.findLast((event) => event.usage !== undefined)?.usage;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        ...events[0],
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason }],
        usage,
      }),
    );
  };
}

function createOpenAiWire(
  model: FakeModel,
  options: { v1: ServerOptions['v1']; hasTools: boolean; includeUsage: boolean },
): Wire {
  const { v1, hasTools, includeUsage } = options;
  const created = Math.floor(Date.now() / 1000);
  let isFirst = true;
  let callIndex = 0;
  const event = (fields: Json): string => {
    const base = {
      id: 'chatcmpl-123',
      object: 'chat.completion.chunk',
      created,
      model: model.name,
      system_fingerprint: 'fp_ollama',
    };
    return `data: ${JSON.stringify({ ...base, ...fields })}\n\n`;
  };
  const delta = (fields: Json): string => {
    const role = isFirst ? { role: 'assistant' } : {};
    isFirst = false;
    return event({ choices: [{ index: 0, delta: { ...role, ...fields }, finish_reason: null }] });
  };
  const reasoning = (text: string): Json =>
    v1.reasoningKey === 'both'
      ? { reasoning: text, reasoning_content: text }
      : { [v1.reasoningKey]: text };
  const callDeltas = (call: WireCall, index: number | null): string => {
    const id = call.id === null ? {} : { id: call.id ?? newCallId() };
    const at = index === null ? {} : { index };
    const args = call.rawArguments ?? JSON.stringify(call.arguments);
    return cutInto(args, call.pieces ?? 1)
      .map((piece, part) =>
        delta({
          content: '',
          tool_calls: [
            part === 0
              ? { ...id, ...at, type: 'function', function: { name: call.name, arguments: piece } }
              : { ...at, function: { arguments: piece } },
          ],
        }),
      )
      .join('');
  };
  return {
    contentType: 'text/event-stream',
    thinking: (text) => delta({ content: '', ...reasoning(text) }),
    text: (text) => delta({ content: text }),
    both: (thinking, text) => delta({ content: text, ...reasoning(thinking) }),
    calls: (calls) => {
      if (!hasTools) return '';
      return calls
        .map((call) => {
          const index = call.index === undefined ? callIndex : call.index;
          callIndex += 1;
          return callDeltas(call, index);
        })
        .join('');
    },
    errorLine: (message) => {
      const body = JSON.stringify({
        error: { message, type: 'api_error', param: null, code: 500 },
      });
      if (v1.errors === 'lost') return delta({ content: '' });
      if (v1.errors === 'data') return `data: ${body}\n\n`;
      return v1.errors === 'event' ? `event: error\ndata: ${body}\n\n` : `error: ${body}\n\n`;
    },
    errorBody: (message) =>
      JSON.stringify({ error: { message, type: 'api_error', param: null, code: null } }),
    finish: (reason, metrics) => {
      const finish = reason === 'length' ? 'length' : callIndex > 0 ? 'tool_calls' : 'stop';
      const last = event({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
      return `${last}${includeUsage ? usage(metrics, event) : ''}data: [DONE]\n\n`;
    },
  };
}

function usage(metrics: Metrics, event: (fields: Json) => string): string {
  if (metrics === null) return '';
  const { prompt, eval: completion } = metrics;
  return event({
    choices: [],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    },
  });
}

function readMessages(value: unknown): CountedMessage[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new ApiError(400, "[] is too short - 'messages'");
  }
  return value.map((entry: unknown): CountedMessage => {
    const message = entry as Json;
    const calls = (message.tool_calls ?? []) as readonly Json[];
    for (const call of calls) checkArguments((call.function as Json | undefined)?.arguments);
    const reasoning = message.reasoning ?? message.reasoning_content;
    return {
      role: String(message.role ?? ''),
      content: readContent(message.content),
      ...(typeof reasoning === 'string' ? { thinking: reasoning } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      ...(message.role === 'tool' ? { toolName: toolNameOf(value, message.tool_call_id) } : {}),
    };
  });
}

/** /v1 results name only their call; the tool's name is found in the call itself. */
function toolNameOf(messages: readonly unknown[], callId: unknown): string {
  for (const message of messages as readonly Json[]) {
    for (const call of (message.tool_calls ?? []) as readonly Json[]) {
      if (call.id === callId) return String((call.function as Json | undefined)?.name ?? '');
    }
  }
  return '';
}

function readContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (!Array.isArray(content)) throw new ApiError(400, 'invalid message content type');
  return (content as readonly Json[])
    .map((part) => {
      if (part.type === 'text') return String(part.text);
      // Mistral's own, of its answers.
      if (part.type === 'thinking') return '';
      const url = String((part.image_url as Json | undefined)?.url ?? '');
      if (!/^data:image\/(jpeg|jpg|png|webp);base64,/.test(url)) {
        throw new ApiError(400, 'invalid image input');
      }
      return '';
    })
    .join('');
}

function checkArguments(value: unknown): void {
  if (typeof value !== 'string') {
    throw new ApiError(
      400,
      `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go struct field .messages.tool_calls.function.arguments of type string`,
    );
  }
  try {
    JSON.parse(value);
  } catch {
    throw new ApiError(400, 'invalid tool call arguments');
  }
}

function visionFields(model: FakeModel, key: ServerOptions['v1']['visionKey']): Json {
  switch (key) {
    case 'openrouter':
      return {
        architecture: { input_modalities: ['text', ...(sees(model) ? ['image'] : [])] },
      };
    case 'mistral':
      return { capabilities: { completion_chat: true, vision: sees(model) } };
    case 'anthropic':
      return { capabilities: { image_input: { supported: sees(model) } } };
    default:
      return {};
  }
}

function listed(model: FakeModel, options: ServerOptions): Json {
  const { windowKey, ownedBy } = options.v1;
  return {
    id: options.hostName === null ? withTag(model.name) : model.name,
    object: 'model',
    created: 1_759_300_000,
    owned_by: ownedBy,
    ...visionFields(model, options.v1.visionKey),
    ...(windowKey === 'max_model_len' ? { max_model_len: options.defaultContext } : {}),
    ...(windowKey === 'meta'
      ? { meta: { n_ctx: options.defaultContext, n_ctx_train: model.trainedContext } }
      : {}),
  };
}
