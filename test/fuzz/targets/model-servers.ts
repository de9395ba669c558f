import { AppError } from '#contract/errors.ts';
import { canonicalJson } from '#main/base/canonical-json.ts';
import { AnswerBuilder } from '#main/models/answer-builder.ts';
import { openCloud } from '#main/models/cloud/open-cloud.ts';
import { askOllama } from '#main/models/embeddings/ollama-embeddings.ts';
import { askOpenAi } from '#main/models/embeddings/openai-embeddings.ts';
import { pullFromOllama } from '#main/models/ollama/ollama-pull.ts';
import { readOllamaAnswer } from '#main/models/ollama/ollama-stream.ts';
import { encodeOllamaMessage } from '#main/models/ollama/ollama-wire.ts';
import { forwardsToCloud, listOllama } from '#main/models/ollama/open-ollama.ts';
import { listOpenAi } from '#main/models/openai/open-openai.ts';
import { readOpenAiAnswer } from '#main/models/openai/openai-stream.ts';
import { encodeOpenAiMessage } from '#main/models/openai/openai-wire.ts';
import { RefusedRequest, sendFixed } from '#main/models/parameter-fixes.ts';
import { toModelError } from '#main/models/server-errors.ts';
import type { HttpAnswer } from '#main/models/transport/http-stream.ts';
import type { ServerConnection } from '#main/models/transport/server-connection.ts';
import type { ChatMessage, ModelReply, ModelRequest } from '#main/models/types.ts';
import { readOllamaWindow, readServerWindow } from '#main/models/window/read-window.ts';
import { TokenEstimator } from '#main/models/window/token-estimate.ts';
import { type FuzzInput, type FuzzTarget, HOLE } from '../types.ts';
import { paced } from './streams.ts';
import { FUZZ_TOOLS, prepareAll } from './tools.ts';

const SERVER = { label: 'The server', address: 'http://127.0.0.1:1', startHint: 'Start it.' };
const REQUEST: ModelRequest = { messages: [{ role: 'user', content: 'Hello' }], tools: FUZZ_TOOLS };
const IDLE = { signal: new AbortController().signal };

/** An answer of a server whose body is the input. */
function answerOf(input: FuzzInput, status = 200, contentType = 'application/json'): HttpAnswer {
  const nothing = (): void => undefined;
  const watch = {
    alive: nothing,
    answering: nothing,
    closing: nothing,
    firstTokenMs: null,
    elapsedMs: 1,
  };
  return {
    status,
    contentType,
    header: () => null,
    chunks: paced(input.chunks),
    watch,
  } as unknown as HttpAnswer;
}

/** A server of which every answer is the input. */
function serverOf(input: FuzzInput, status = 200): ServerConnection {
  return {
    identity: SERVER,
    secrets: ['sk-secret-key-of-the-person'],
    url: new URL('http://127.0.0.1:1'),
    small: async () => ({
      status,
      contentType: 'application/json',
      text: input.bytes.toString('utf8'),
    }),
    stream: async (
      _path: string,
      _body: Buffer,
      { read }: { read: (answer: HttpAnswer) => unknown },
    ) => {
      // An answer never comes at once.
      await Promise.resolve();
      return await read(answerOf(input, status));
    },
  } as unknown as ServerConnection;
}

/** As `converse` does: what is about the connection becomes an error with a code. */
async function coded(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw toModelError(error, SERVER);
  }
}

/** What a run does with an answer: its calls are prepared, it is stored, measured and sent again. */
function useReply(
  reply: Pick<ModelReply, 'content' | 'reasoning' | 'toolCalls' | 'invalidToolCalls'>,
  encode: (message: ChatMessage) => unknown,
): void {
  const { content, reasoning, toolCalls } = reply;
  const message: ChatMessage = { role: 'assistant', content, reasoning, toolCalls };
  prepareAll(reply);
  new TokenEstimator().message(message);
  structuredClone(message);
  JSON.stringify(encode(message));
  canonicalJson(message);
}

const CONTEXT = { model: 'm', server: SERVER, secrets: ['sk-secret-key-of-the-person'] };

async function ollama(input: FuzzInput, status: number): Promise<void> {
  const builder = new AnswerBuilder(REQUEST, () => undefined);
  await coded(async () => {
    const reply = await readOllamaAnswer(answerOf(input, status), builder, CONTEXT);
    useReply(reply, (message) => encodeOllamaMessage(message, { withReasoning: true }));
  });
}

async function openai(input: FuzzInput, status: number): Promise<void> {
  const builder = new AnswerBuilder(REQUEST, () => undefined);
  const findings = { reasoningKey: null, modelKey: 'fake:m' };
  await coded(async () => {
    const options = { context: { ...CONTEXT, keyHint: null }, findings };
    const reply = await readOpenAiAnswer(
      answerOf(input, status, 'text/event-stream'),
      builder,
      options,
    );
    const encoding = { withReasoning: true, ...findings };
    useReply(reply, (message) => encodeOpenAiMessage(message, encoding));
  });
}

/** Both classes of LangChain, each with a run that goes on from its answer. */
async function cloud(kind: 'openai' | 'anthropic', input: FuzzInput): Promise<void> {
  const connection = Object.assign(serverOf(input), { close: () => undefined });
  await using model = await openCloud({
    ...{ kind, connection, contextWindow: null, keyHint: '', thinking: null },
    fixes: { all: () => ({}), put: () => undefined },
    ref: { provider: kind, name: 'm' },
  });
  const options = { ...IDLE, onProgress: () => undefined };
  await coded(async () => {
    const reply = await model.send(REQUEST, options);
    useReply(reply, (message) => message);
  });
}

const OLLAMA_CALL = `{"message":{"content":"","tool_calls":[{"id":"a","function":{"name":"deep","arguments":${HOLE}}}]},"done":false}\n`;
const OLLAMA_DONE = '{"message":{"content":""},"done":true,"done_reason":"stop","eval_count":3}\n';
const OPENAI_DONE =
  'data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3}}\n\ndata: [DONE]\n\n';
const RESPONSES_DONE =
  'data: {"type":"response.completed","response":{"id":"r","output":[],"usage":{"input_tokens":3,"output_tokens":4}}}\n\n';
const MESSAGES_DONE =
  'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}\n\n';
const ERROR_BODIES = [
  `{"error":{"message":"${HOLE}","type":"invalid_request_error","code":"context_length_exceeded"}}`,
  `{"error":"error parsing tool call: raw='{\\"a\\":1' err=unexpected end"}`,
  `{"error":${HOLE}}`,
  '[{"error":{"message":"input token count (12) exceeds the maximum 10"}}]',
  '{"detail":"This model\'s maximum context length is 10 tokens, 12 input tokens"}',
];
const ERROR_TOKENS = [
  ...[
    '{"error":',
    '"message"',
    "raw='",
    "', err=",
    'model ',
    'not found',
    'maximum context length is ',
  ],
  ...[
    'request (',
    ' tokens) exceeds the available context size (',
    'first 9 tokens when context the overflows',
  ],
  ...['input token count (9) exceeds ', 'sk-secret-key-of-the-person', 'tool is not supported'],
];

export const MODEL_SERVER_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'ollama-chat',
    faces: 'server',
    seeds: [
      `{"message":{"role":"assistant","content":"Hel"},"done":false}\n{"message":{"thinking":"${HOLE}","content":"lo"},"done":false}\n${OLLAMA_DONE}`,
      OLLAMA_CALL + OLLAMA_DONE,
      `${OLLAMA_CALL.replace(HOLE, '"{\\"value\\":1}"')}${OLLAMA_DONE}`,
      `{"error":${HOLE}}\n`,
    ],
    tokens: [
      '"tool_calls":[',
      '"function":{',
      '"arguments":',
      '"done":true',
      '{"message":{"content":"x"}}\n',
      '{"message":{"tool_calls":[{"function":{"name":"a"}}]}}\n',
    ],
    maxBytes: 2 * 1024 * 1024,
    run: (input) => ollama(input, 200),
  },
  {
    name: 'ollama-refusal',
    faces: 'server',
    seeds: ERROR_BODIES,
    tokens: ERROR_TOKENS,
    run: (input) => ollama(input, [400, 404, 500, 503][Math.floor(input.random() * 4)] ?? 500),
  },
  {
    name: 'openai-chat',
    faces: 'server',
    seeds: [
      `data: {"choices":[{"delta":{"content":"Hel"}}]}\n\ndata: {"choices":[{"delta":{"content":[{"text":"lo"}],"reasoning":"x"}}]}\n\n${OPENAI_DONE}`,
      `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"deep","arguments":${HOLE}}}]}}]}\n\n${OPENAI_DONE}`,
      `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"deep","arguments":"{\\"value\\":"}}]}}]}\n\ndata: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}}]}\n\n${OPENAI_DONE}`,
      `{"choices":[{"message":{"content":"whole","tool_calls":[{"id":"b","function":{"name":"text","arguments":"{}"},"extra_content":${HOLE}}]},"finish_reason":"stop"}]}`,
      `data: {"choices":[{"delta":{"content":${HOLE}}}]}\n\n${OPENAI_DONE}`,
      `event: error\ndata: {"error":{"message":"${HOLE}"}}\n\n`,
    ],
    tokens: [
      'data: ',
      '\n\n',
      'event: error\n',
      'data: {"choices":[{"delta":{"tool_calls":[{"id":"q","function":{"name":"a"}}]}}]}\n\n',
      '"index":0',
      '[DONE]',
      ': comment\n',
      'data: \n',
    ],
    maxBytes: 2 * 1024 * 1024,
    run: (input) => openai(input, 200),
  },
  {
    name: 'openai-refusal',
    faces: 'server',
    seeds: ERROR_BODIES,
    tokens: ERROR_TOKENS,
    run: (input) =>
      openai(input, [400, 401, 404, 413, 429, 500][Math.floor(input.random() * 6)] ?? 500),
  },
  {
    name: 'refused-parameters',
    faces: 'server',
    seeds: [
      ...ERROR_BODIES,
      '{"error":{"message":"Unsupported parameter: \'max_tokens\'. Use \'max_completion_tokens\' instead.","param":"max_tokens"}}',
      '{"error":{"message":"max_tokens: 32000 > 8192, which is the maximum"}}',
      `{"detail":[{"loc":["body","temperature"],"msg":${HOLE}}]}`,
    ],
    tokens: ['"param":"', 'temperature', 'reasoning.summary', 'set a to b', '__proto__', '1 > 2'],
    run: async (input) => {
      const fields = { model: 'm', temperature: 0, max_tokens: 9, reasoning: { summary: 'auto' } };
      const error = new AppError('MODEL_BAD_REQUEST', 'no', {
        cause: new RefusedRequest(input.bytes.toString('utf8')),
      });
      await sendFixed(fields, {
        memory: { all: () => ({}), put: () => undefined },
        // It is refused once: what is not understood is refused for good.
        attempt: (sent) => (sent === fields ? Promise.reject(error) : Promise.resolve()),
        onRetry: () => undefined,
      });
    },
  },
  {
    name: 'openai-responses',
    faces: 'server',
    seeds: [
      `data: {"type":"response.output_text.delta","content_index":0,"delta":"${HOLE}"}\n\n${RESPONSES_DONE}`,
      `data: {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"a","name":"deep","arguments":""}}\n\ndata: {"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\\"value\\":1}"}\n\n${RESPONSES_DONE}`,
      `data: {"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"r","summary":[],"encrypted_content":${HOLE}}}\n\n${RESPONSES_DONE}`,
      `event: error\ndata: {"type":"error","message":"${HOLE}"}\n\n`,
    ],
    tokens: [
      'data: ',
      '\n\n',
      '"type":"response.',
      '"item":{',
      '"delta":',
      '"output":[',
      RESPONSES_DONE,
    ],
    maxBytes: 2 * 1024 * 1024,
    run: (input) => cloud('openai', input),
  },
  {
    name: 'anthropic-messages',
    faces: 'server',
    seeds: [
      `data: {"type":"message_start","message":{"id":"m","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}\n\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${HOLE}"}}\n\n${MESSAGES_DONE}`,
      `data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"deep","input":{}}}\n\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\\"value\\":1}"}}\n\n${MESSAGES_DONE}`,
      `data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":${HOLE}}}\n\n${MESSAGES_DONE}`,
      `event: error\ndata: {"type":"error","error":{"type":"x","message":"${HOLE}"}}\n\n`,
    ],
    tokens: [
      'data: ',
      '\n\n',
      '"type":"content_block_',
      '"index":0',
      '"delta":{',
      '"usage":{',
      MESSAGES_DONE,
    ],
    maxBytes: 2 * 1024 * 1024,
    run: (input) => cloud('anthropic', input),
  },
  {
    name: 'ollama-pull',
    faces: 'server',
    seeds: [
      '{"status":"pulling manifest"}\n{"status":"pulling a","digest":"sha256:a","total":10,"completed":1}\n{"status":"success"}\n',
      `{"error":${HOLE}}\n`,
    ],
    tokens: [
      '{"digest":"',
      '","total":1}\n',
      '"completed":',
      '{"status":"success"}\n',
      '{"error":"file does not exist"}\n',
    ],
    maxBytes: 4 * 1024 * 1024,
    run: (input) =>
      coded(() => pullFromOllama(serverOf(input), 'm', { ...IDLE, onStep: () => undefined })),
  },
  {
    name: 'model-lists',
    faces: 'server',
    seeds: [
      `{"models":[{"name":"qwen3:8b","size":1,"capabilities":["tools"],"details":{"context_length":4096}},${HOLE}]}`,
      `{"data":[{"id":"m","max_model_len":10,"meta":{"n_ctx":5}},${HOLE}]}`,
      `{"capabilities":["completion"],"model_info":{"general.architecture":"q","q.context_length":9,"x":${HOLE}},"parameters":"num_ctx   4096\\nstop \\"x\\""}`,
      '{"n_ctx":10,"default_generation_settings":{"n_ctx":4}}',
      '{"data":[{"id":"m","max_model_len":10,"meta":{"n_ctx":5}}]}',
      `{"models":[{"key":"m","loaded_instances":[{"id":"m","config":{"context_length":9}},${HOLE}]}]}`,
    ],
    tokens: ['{"name":"', '"capabilities":[', 'num_ctx ', '"model_info":{', '"id":"', ':cloud'],
    maxBytes: 2 * 1024 * 1024,
    run: async (input) => {
      const server = serverOf(input);
      const options = { provider: 'p', keyHint: null, limitMs: 1_000, ...IDLE };
      await readOllamaWindow(server, 'qwen3', IDLE.signal);
      await readServerWindow(server, 'm', IDLE.signal);
      await coded(() => forwardsToCloud(server, 'm', IDLE.signal)).catch(passCoded);
      await coded(() => listOllama(server, options)).catch(passCoded);
      await coded(() => listOpenAi(server, options));
    },
  },
  {
    name: 'embeddings',
    faces: 'server',
    seeds: [
      `{"embeddings":[[0.1,0.2,${HOLE}]]}`,
      '{"data":[{"index":0,"embedding":[1,2]}]}',
      '{"error":"no"}',
    ],
    tokens: ['[', '0.1,', '"index":', '{"embedding":[1]},'],
    maxBytes: 4 * 1024 * 1024,
    run: async (input) => {
      const request = { model: 'm', texts: ['a'], keyHint: null, ...IDLE };
      const status = input.random() < 0.8 ? 200 : 500;
      const ask = input.random() < 0.5 ? askOllama : askOpenAi;
      await ask(serverOf(input, status), request);
    },
  },
];

function passCoded(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'AppError') throw error;
}
