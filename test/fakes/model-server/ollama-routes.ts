import { isCloudName } from '#main/models/ollama/ollama-profile.ts';
import { viewRequest } from '#main/models/script/script.ts';
import { fakeEmbedding } from './embeddings.ts';
import { checkCapabilities, parseChatRequest, Refusal } from './ollama-validation.ts';
import { createOllamaWire } from './ollama-wire.ts';
import type { FakeModel, WireStep } from './options.ts';
import { play } from './playback.ts';
import type { Exchange, Handler, Parts } from './server.ts';
import { type CountedMessage, countTokens, fitPrompt } from './tokens.ts';
import { Sender } from './wire.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

type Json = Readonly<Record<string, unknown>>;

/** Ollama's own endpoints, by method and path. */
export const OLLAMA_ROUTES: Readonly<Record<string, Handler>> = {
  'GET /': (exchange) => text(exchange, 200, 'Ollama is running'),
  'HEAD /': (exchange) => text(exchange, 200, ''),
  'GET /api/version': (exchange, { options }) => json(exchange, { version: options.version }),
  'GET /api/status': (exchange, { options }) =>
    json(exchange, {
      cloud: { disabled: options.cloudDisabled, source: options.cloudDisabled ? 'env' : 'none' },
    }),
  'GET /api/tags': (exchange, { library }) => json(exchange, { models: library.tags() }),
  'GET /api/ps': (exchange, { library }) => json(exchange, { models: library.running() }),
  'POST /api/show': refusing(async (exchange, parts) => {
    json(exchange, parts.library.show(requireModel(exchange, parts, 'details are ')));
  }),
  'POST /api/chat': refusing(chat),
  'POST /api/generate': refusing(generate),
  'POST /api/pull': refusing(pull),
  'DELETE /api/delete': refusing(async (exchange, { library }) => {
    const name = nameOf(exchange);
    if (!library.remove(name)) throw new Refusal(404, `model '${name}' not found`);
    text(exchange, 200, '');
  }),
  'POST /api/copy': refusing(async (exchange, { library }) => {
    const { source, destination } = bodyOf(exchange);
    if (!library.copy(String(source), String(destination))) {
      throw new Refusal(404, `model '${String(source)}' not found`);
    }
    text(exchange, 200, '');
  }),
  'POST /api/embed': refusing(async (exchange, parts) => {
    const model = requireModel(exchange, parts);
    if (!model.capabilities.includes('embedding')) {
      throw new Refusal(501, 'this model does not support embeddings');
    }
    const { input } = bodyOf(exchange);
    const inputs = Array.isArray(input) ? input.map(String) : [String(input)];
    json(exchange, {
      model: model.name,
      embeddings: inputs.map((one) => fakeEmbedding(one, parts.options.synonyms)),
      total_duration: 1_000_000,
      load_duration: 1_000,
      prompt_eval_count: countTokens(inputs.join('')),
    });
  }),
};

async function chat(exchange: Exchange, parts: Parts): Promise<void> {
  const { recorded, response } = exchange;
  const request = parseChatRequest(recorded.body, recorded.json);
  const model = requireModel(exchange, parts, '');
  checkCapabilities(bodyOf(exchange), model);
  if (request.messages.length === 0) {
    await loadOnly(exchange, parts, { model, message: true });
    return;
  }
  const { numCtx, loadMs } = await parts.library.load(model, request.numCtx);
  const prompt = fitPrompt(request.messages, request.tools, {
    window: numCtx,
    bytesPerToken: parts.options.bytesPerToken,
  });
  recorded.promptTokens = prompt.whole;
  if (prompt.dropped.length > 0 && !request.truncate) throw tooLong(prompt.whole, numCtx);
  recorded.dropped = prompt.dropped;
  if (response.destroyed) return;
  const steps =
    byRule(exchange, parts) ?? parts.player.next(viewRequest(model.name, request.messages));
  if (steps === null) throw new Refusal(500, 'the script of this server is exhausted');
  const wire = createOllamaWire({ model, hasTools: request.tools.length > 0, loadMs });
  if (!request.stream) {
    await answerWhole(exchange, async (sender) =>
      play(steps, { wire, sender, promptTokens: prompt.fitted }),
    );
    return;
  }
  const sender = new Sender(response, wire.contentType);
  await play(steps, { wire, sender, promptTokens: prompt.fitted });
}

function byRule(exchange: Exchange, { rule }: Parts): WireStep[] | null {
  if (rule === null) return null;
  const { messages, format } = bodyOf(exchange) as {
    messages: { role: string; content: string }[];
    format?: Json;
  };
  return [{ text: rule({ messages, format: format ?? null }), whole: true }];
}

async function generate(exchange: Exchange, parts: Parts): Promise<void> {
  const request = bodyOf(exchange);
  const model = requireModel(exchange, parts, '');
  const prompt = String(request.prompt ?? '');
  if (prompt === '') {
    await loadOnly(exchange, parts, { model, message: false });
    return;
  }
  const { loadMs } = await parts.library.load(model, null);
  const messages: CountedMessage[] = [{ role: 'user', content: prompt }];
  const steps = parts.player.next(viewRequest(model.name, messages));
  if (steps === null) throw new Refusal(500, 'the script of this server is exhausted');
  const wire = createOllamaWire({ model, hasTools: false, loadMs }, 'generate');
  const sender = new Sender(exchange.response, wire.contentType);
  await play(steps, { wire, sender, promptTokens: countTokens(prompt) });
}

/** A request without messages only loads the model, or unloads it. */
async function loadOnly(
  exchange: Exchange,
  parts: Parts,
  { model, message }: { model: FakeModel; message: boolean },
): Promise<void> {
  const { keep_alive, options } = bodyOf(exchange);
  const isUnload = keep_alive === 0;
  const numCtx = (options as Json | undefined)?.num_ctx;
  if (isUnload) parts.library.unload();
  else await parts.library.load(model, typeof numCtx === 'number' ? numCtx : null);
  json(exchange, {
    model: model.name,
    created_at: new Date().toISOString(),
    ...(message ? { message: { role: 'assistant', content: '' } } : { response: '' }),
    done: true,
    done_reason: isUnload ? 'unload' : 'load',
  });
}

async function pull(exchange: Exchange, { library }: Parts): Promise<void> {
  const sender = new Sender(exchange.response, 'application/x-ndjson');
  for await (const line of library.pull(nameOf(exchange), sender.gone.signal)) {
    await sender.send(`${JSON.stringify(line)}\n`);
  }
  sender.end();
}

/** `stream: false`: everything joined in one object. */
async function answerWhole(
  exchange: Exchange,
  playTo: (sender: Sender) => Promise<void>,
): Promise<void> {
  const lines: string[] = [];
  const sender = new Sender(exchange.response, JSON_TYPE);
  const end = sender.end.bind(sender);
  const send = sender.send.bind(sender);
  sender.send = async (data) => void lines.push(data.toString());
  sender.end = () => undefined;
  await playTo(sender);
  if (sender.hasBegun) return;
  const chunks = lines
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
  const messages = chunks.map((chunk) => (chunk.message ?? {}) as Json);
  const joined = (key: string): string => messages.map((part) => part[key] ?? '').join('');
  const calls = messages.flatMap((part) => (part.tool_calls ?? []) as unknown[]);
  const message = {
    role: 'assistant',
    content: joined('content'),
    ...(joined('thinking') === '' ? {} : { thinking: joined('thinking') }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  await send(JSON.stringify({ ...chunks.at(-1), message }));
  end();
}

/** llama-server's own error, as a string inside Ollama's. */
function tooLong(tokens: number, window: number): Refusal {
  const inner = {
    error: {
      code: 400,
      message: `request (${tokens} tokens) exceeds the available context size (${window} tokens), try increasing it`,
      type: 'exceed_context_size_error',
      n_prompt_tokens: tokens,
      n_ctx: window,
    },
  };
  return new Refusal(400, JSON.stringify(inner));
}

function requireModel(exchange: Exchange, parts: Parts, cloudWords = ''): FakeModel {
  const name = nameOf(exchange);
  if (name === '') throw new Refusal(400, 'model is required');
  if (!/^[\w.-]+(\/[\w.-]+)*(:[\w.-]+){0,2}$/.test(name))
    throw new Refusal(400, 'invalid model name');
  const model = parts.library.find(name);
  const isCloud = isCloudName(name) || model?.remoteModel !== undefined;
  if (isCloud && parts.options.cloudDisabled) {
    const what = cloudWords === '' ? 'remote model is' : `remote model ${cloudWords.trim()}`;
    throw new Refusal(403, `ollama cloud is disabled: ${what} unavailable`);
  }
  if (model === undefined) throw new Refusal(404, `model '${name}' not found`);
  return model;
}

function bodyOf({ recorded }: Exchange): Json {
  if (recorded.body === '') throw new Refusal(400, 'missing request body');
  if (typeof recorded.json !== 'object' || recorded.json === null) {
    throw new Refusal(400, 'invalid character looking for beginning of value');
  }
  return recorded.json as Json;
}

function nameOf(exchange: Exchange): string {
  const { model, name } = bodyOf(exchange);
  return String(model ?? name ?? '');
}

/** Answers a `Refusal` of the handler as Ollama does. */
function refusing(handler: Handler): Handler {
  return async (exchange, parts) => {
    try {
      await handler(exchange, parts);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (exchange.response.headersSent || exchange.response.destroyed) return;
      exchange.response.writeHead(error.status, { 'content-type': JSON_TYPE });
      exchange.response.end(JSON.stringify({ error: error.message, ...error.extra }));
    }
  };
}

function json({ response }: Exchange, value: unknown): void {
  response.writeHead(200, { 'content-type': JSON_TYPE });
  response.end(JSON.stringify(value));
}

function text({ response }: Exchange, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(body);
}
