import type { FakeModel } from './options.ts';
import type { CountedMessage } from './tokens.ts';

/** A refusal before the first byte, in Ollama's words. */
export class Refusal extends Error {
  readonly status: number;
  readonly extra: Readonly<Record<string, unknown>>;
  constructor(status: number, message: string, extra: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.extra = extra;
  }
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly CountedMessage[];
  readonly tools: readonly unknown[];
  readonly stream: boolean;
  readonly truncate: boolean;
  readonly numCtx: number | null;
  readonly keepAlive: unknown;
}

type Json = Readonly<Record<string, unknown>>;

/** Checks a body as Ollama's Go structures would. Throws `Refusal`. */
export function parseChatRequest(body: string, value: unknown): ChatRequest {
  if (body === '') throw new Refusal(400, 'missing request body');
  if (value === undefined) {
    throw new Refusal(400, "invalid character '<' looking for beginning of value");
  }
  const request = requireObject(value, 'ChatRequest');
  const messages = requireArray(request.messages ?? [], 'ChatRequest.messages');
  if (typeof (request.model ?? '') !== 'string')
    throw mistyped(request.model, 'ChatRequest.model', 'string');
  if (!request.model) throw new Refusal(400, 'model is required');
  checkKeepAlive(request.keep_alive);
  const think = request.think;
  if (think !== undefined && think !== null) checkThink(think);
  const options = requireObject(request.options ?? {}, 'ChatRequest.options');
  const numCtx = options.num_ctx;
  if (numCtx !== undefined && !Number.isInteger(numCtx)) {
    throw new Refusal(400, 'option "num_ctx" must be of type integer');
  }
  return {
    model: String(request.model),
    messages: messages.map(parseMessage),
    tools: requireArray(request.tools ?? [], 'ChatRequest.tools').map(parseTool),
    stream: request.stream !== false,
    truncate: request.truncate !== false,
    numCtx: typeof numCtx === 'number' ? numCtx : null,
    keepAlive: request.keep_alive,
  };
}

/** What a model cannot do is refused before it is loaded. */
export function checkCapabilities(request: Json, model: FakeModel): void {
  const has = (capability: string): boolean => model.capabilities.includes(capability);
  if (has('image')) {
    throw new Refusal(400, 'image generation models are not currently supported');
  }
  if (!has('completion')) throw new Refusal(400, `"${model.name}" does not support chat`);
  if (Array.isArray(request.tools) && request.tools.length > 0 && !has('tools')) {
    throw new Refusal(400, `registry.ollama.ai/library/${model.name} does not support tools`);
  }
  const wantsThinking =
    request.think !== undefined && request.think !== null && request.think !== false;
  if (wantsThinking && !has('thinking')) {
    throw new Refusal(400, `"${model.name}" does not support thinking`);
  }
  const { format } = request;
  const isFormat = format === 'json' || (typeof format === 'object' && format !== null);
  if (format !== undefined && format !== null && format !== '' && !isFormat) {
    throw new Refusal(
      500,
      `invalid format: ${JSON.stringify(format)}; expected "json" or a valid JSON Schema object`,
    );
  }
}

function parseMessage(value: unknown): CountedMessage {
  const message = requireObject(value, 'ChatRequest.messages');
  const role = String(message.role ?? '').toLowerCase();
  if (!['system', 'user', 'assistant', 'tool'].includes(role)) {
    throw new Refusal(400, `invalid role: ${role}, must be one of [system, user, assistant, tool]`);
  }
  for (const key of ['content', 'thinking', 'tool_name', 'tool_call_id']) {
    if (typeof (message[key] ?? '') !== 'string') {
      throw mistyped(message[key], `ChatRequest.messages.${key}`, 'string');
    }
  }
  for (const image of requireArray(message.images ?? [], 'ChatRequest.messages.images')) {
    if (typeof image !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(image)) {
      throw new Refusal(400, 'illegal base64 data at input byte 4');
    }
  }
  const calls = requireArray(message.tool_calls ?? [], 'ChatRequest.messages.tool_calls');
  for (const call of calls) {
    const where = 'ChatRequest.messages.tool_calls.function';
    const called = requireObject(requireObject(call, where).function ?? {}, where);
    requireObject(called.arguments ?? {}, `${where}.arguments`);
  }
  return {
    role,
    content: String(message.content ?? ''),
    ...(message.thinking ? { thinking: String(message.thinking) } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(Array.isArray(message.images) ? { images: message.images } : {}),
    ...(message.tool_name ? { toolName: String(message.tool_name) } : {}),
  };
}

function parseTool(value: unknown): unknown {
  const tool = requireObject(value, 'ChatRequest.tools');
  const called = requireObject(tool.function ?? {}, 'ChatRequest.tools.function');
  requireObject(called.parameters ?? {}, 'ChatRequest.tools.function.parameters');
  return tool;
}

function checkThink(think: unknown): void {
  if (typeof think === 'boolean') return;
  if (typeof think !== 'string') {
    throw new Refusal(
      400,
      'think must be a boolean or string ("high", "medium", "low", "max", true, or false)',
    );
  }
  if (!['low', 'medium', 'high', 'max'].includes(think)) {
    throw new Refusal(
      400,
      `invalid think value: "${think}" (must be "high", "medium", "low", "max", true, or false)`,
    );
  }
}

function checkKeepAlive(value: unknown): void {
  if (value === undefined || value === null || typeof value === 'number') return;
  if (typeof value === 'string' && /^-?\d+(\.\d+)?(ms|s|m|h)$/.test(value)) return;
  throw new Refusal(400, `time: invalid duration ${JSON.stringify(value)}`);
}

function requireObject(value: unknown, where: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw mistyped(value, where, 'object');
  }
  return value as Json;
}

function requireArray(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) throw mistyped(value, where, 'array');
  return value;
}

function mistyped(value: unknown, where: string, wanted: string): Refusal {
  const kind = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  return new Refusal(
    400,
    `json: cannot unmarshal ${kind} into Go struct field ${where} of type ${wanted}`,
  );
}
