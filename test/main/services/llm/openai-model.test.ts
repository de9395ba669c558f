import { expect, test } from 'vitest';
import type { ServerOptionsInput, WireStepInput } from '../../../fakes/model-server/options.ts';
import { contentOf, failureOf, HELLO, openOn, type Setup, send } from './harness.ts';

/** What servers of OpenAI's protocol do, each with what comes out (LOCAL-MODELS A6, A8 and B). */

const command = { command: 'ls -la /workspace' };
const call = { id: 'call_a', name: 'shell_command', arguments: command };
const plain = { content: '', reasoning: '', toolCalls: [], invalidToolCalls: [], finish: 'stop' };

function open(steps: readonly WireStepInput[], server: ServerOptionsInput = {}): Promise<Setup> {
  return openOn('openai-compatible', { turns: [{ steps: [...steps] }], ...server });
}

function sse(...events: unknown[]): WireStepInput {
  return { raw: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') };
}

function delta(fields: object, finish_reason: string | null = null): unknown {
  return { choices: [{ index: 0, delta: fields, finish_reason }] };
}

test('text streams, and the figures come in a chunk of their own', async () => {
  await using setup = await open([{ text: 'Hello there.' }, { metrics: { prompt: 12, eval: 4 } }]);
  const sent = await send(setup.model);
  expect([contentOf(sent), sent.progress, sent.reply.usage]).toEqual([
    { ...plain, content: 'Hello there.' },
    [
      { kind: 'text', text: 'Hello' },
      { kind: 'text', text: ' there.' },
    ],
    {
      promptTokens: 12,
      completionTokens: 4,
      firstTokenMs: expect.any(Number),
      durationMs: expect.any(Number),
    },
  ]);
});

test.each<[string, WireStepInput[], object]>([
  ['one call, whole', [{ call }], { toolCalls: [call] }],
  ['one call in fragments', [{ call: { ...call, pieces: 7 } }], { toolCalls: [call] }],
  [
    'two calls in fragments, told apart by their index',
    [
      sse(
        delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } }] }),
        delta({ tool_calls: [{ index: 1, id: 'b', function: { name: 'g', arguments: '{"y"' } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
        delta({ tool_calls: [{ index: 1, function: { arguments: ':2}' } }] }),
      ),
      { call },
    ],
    {
      toolCalls: [
        { id: 'a', name: 'f', arguments: { x: 1 } },
        { id: 'b', name: 'g', arguments: { y: 2 } },
        call,
      ],
    },
  ],
  [
    'calls without any index, told apart by their id',
    [{ call: { ...call, index: null } }, { call: { ...call, id: 'call_b', index: null } }],
    { toolCalls: [call, { ...call, id: 'call_b' }] },
  ],
  [
    'calls that all have index 0 (Gemini)',
    [{ call: { ...call, index: 0 } }, { call: { ...call, id: 'call_b', index: 0 } }],
    { toolCalls: [call, { ...call, id: 'call_b' }] },
  ],
  [
    'an id that is missing or empty is made',
    [{ call: { ...call, id: '' } }],
    { toolCalls: [{ ...call, id: expect.stringMatching(/^call_/) }] },
  ],
  [
    'cut arguments are invalid, and never repaired',
    [{ call: { ...call, rawArguments: '{"dir": "/x' } }],
    {
      invalidToolCalls: [
        {
          id: 'call_a',
          name: 'shell_command',
          rawArguments: '{"dir": "/x',
          problem: expect.stringContaining('not valid JSON'),
        },
      ],
    },
  ],
  [
    'arguments that are no object are invalid',
    [{ call: { ...call, rawArguments: '["ls"]' } }],
    {
      invalidToolCalls: [
        {
          id: 'call_a',
          name: 'shell_command',
          rawArguments: '["ls"]',
          problem: 'The arguments must be a JSON object, not an array.',
        },
      ],
    },
  ],
  [
    'no text at all stands for no arguments',
    [{ call: { ...call, rawArguments: '' } }],
    { toolCalls: [{ ...call, arguments: {} }] },
  ],
  [
    'a call cut by the output limit is not run',
    [
      { text: 'Now' },
      { call: { ...call, rawArguments: '{"command":"ls"}' } },
      { finish: 'length' },
    ],
    { content: 'Now', finish: 'length' },
  ],
  [
    'content in parts (Mistral)',
    [
      sse(
        delta({
          content: [
            { type: 'thinking', thinking: [] },
            { type: 'text', text: 'Hi' },
          ],
        }),
        delta({}, 'stop'),
      ),
    ],
    { content: 'Hi' },
  ],
  [
    'keep-alive comments and CRLF line ends',
    [
      {
        raw: ': ping\r\n\r\ndata: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\r\n\r\n',
      },
    ],
    { content: 'Hi' },
  ],
  [
    'characters split over TCP writes',
    [{ bytewise: { everyMs: 0 } }, { text: '漢字 🎉', whole: true }],
    { content: '漢字 🎉' },
  ],
])('%s', async (_name, steps, expected) => {
  await using setup = await open(steps);
  expect(contentOf(await send(setup.model))).toEqual({ ...plain, ...expected });
});

test('a finish reason without [DONE] is an end, also when the connection then breaks or stays open', async () => {
  const done = sse(delta({ content: 'Hi' }), delta({}, 'stop'));
  for (const end of [[{ cut: true }], [{ delay: 20 }, { reset: true }], [{ stall: true }]]) {
    await using setup = await open([done, ...(end as WireStepInput[])]);
    expect((await send(setup.model)).reply.content).toBe('Hi');
  }
});

test('an answer in one piece, though a stream was asked for, is an answer', async () => {
  const body = JSON.stringify(
    {
      object: 'chat.completion',
      choices: [
        {
          message: {
            role: 'assistant',
            content: 'Hi',
            tool_calls: [
              {
                id: 'call_a',
                type: 'function',
                function: { name: 'shell_command', arguments: JSON.stringify(command) },
              },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 4 },
    },
    null,
    2,
  );
  await using setup = await open([{ refuse: { status: 200, body } }]);
  const sent = await send(setup.model);
  expect([contentOf(sent), sent.reply.usage.promptTokens]).toEqual([
    { ...plain, content: 'Hi', toolCalls: [call] },
    3,
  ]);
});

test.each(['reasoning', 'reasoning_content', 'both'] as const)(
  'thinking under %s is captured, and replayed in the tool round under the key it came with',
  async (reasoningKey) => {
    await using setup = await openOn('openai-compatible', {
      v1: { reasoningKey },
      turns: [{ steps: [{ thinking: 'I need ls.' }, { call }] }, { steps: [{ text: 'Done.' }] }],
    });
    const { reply } = await send(setup.model);
    await send(setup.model, {
      messages: [
        ...HELLO,
        { role: 'assistant', content: '', reasoning: reply.reasoning, toolCalls: reply.toolCalls },
        { role: 'tool', content: 'a.txt', toolCallId: 'call_a', toolName: 'shell_command' },
      ],
    });
    const [, second] = setup.fake.recording.to('/v1/chat/completions');
    const { messages } = (second?.json ?? {}) as { messages: unknown[] };
    expect([reply.reasoning, messages.slice(2)]).toEqual([
      'I need ls.',
      [
        {
          role: 'assistant',
          content: '',
          [reasoningKey === 'both' ? 'reasoning_content' : reasoningKey]: 'I need ls.',
          tool_calls: [
            {
              id: 'call_a',
              type: 'function',
              function: { name: 'shell_command', arguments: JSON.stringify(command) },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_a', content: 'a.txt' },
      ],
    ]);
  },
);

test('what came with a call besides the standard goes back with it (Gemini)', async () => {
  const extra_content = { google: { thought_signature: 'c2ln' } };
  const callOnWire = {
    index: 0,
    id: 'call_a',
    type: 'function',
    function: { name: 'f', arguments: '{}' },
    extra_content,
  };
  await using setup = await openOn('openai-compatible', {
    turns: [
      { steps: [sse(delta({ tool_calls: [callOnWire] }, 'tool_calls'))] },
      { steps: [{ text: 'Done.' }] },
    ],
  });
  const { reply } = await send(setup.model);
  await send(setup.model, {
    messages: [
      ...HELLO,
      { role: 'assistant', content: '', toolCalls: reply.toolCalls },
      { role: 'tool', content: 'x', toolCallId: 'call_a', toolName: 'f' },
    ],
  });
  const [, second] = setup.fake.recording.to('/v1/chat/completions');
  expect(second?.json).toMatchObject({
    messages: [{}, {}, { tool_calls: [{ id: 'call_a', extra_content }] }, {}],
  });
});

test.each<[string, WireStepInput[], ServerOptionsInput['v1'], string]>([
  ['an error that Ollama loses', [{ error: 'boom' }], { errors: 'lost' }, 'MODEL_STREAM_BROKEN'],
  ['an error as data', [{ error: 'boom' }], { errors: 'data' }, 'MODEL_STREAM_BROKEN'],
  ['an error as an event', [{ error: 'boom' }], { errors: 'event' }, 'MODEL_STREAM_BROKEN'],
  [
    'an error as a field (llama.cpp)',
    [{ error: 'boom' }],
    { errors: 'field' },
    'MODEL_STREAM_BROKEN',
  ],
  [
    'an error as vLLM writes it',
    [sse({ object: 'error', message: 'boom', code: 500 })],
    {},
    'MODEL_STREAM_BROKEN',
  ],
  [
    'a window that turns out too small (LM Studio)',
    [
      {
        error:
          'Trying to keep the first 5064 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
      },
    ],
    { errors: 'event' },
    'MODEL_CONTEXT_EXCEEDED',
  ],
  ['a cut', [{ cut: true }], {}, 'MODEL_STREAM_BROKEN'],
  ['[DONE] without a finish reason', [{ raw: 'data: [DONE]\n\n' }], {}, 'MODEL_STREAM_BROKEN'],
  ['an end by the server', [sse(delta({}, 'abort'))], {}, 'MODEL_STREAM_BROKEN'],
  ['an end by its filter', [sse(delta({}, 'content_filter'))], {}, 'MODEL_STREAM_BROKEN'],
  ['a malformed line', [{ raw: 'data: {"choices":\n\n' }], {}, 'MODEL_STREAM_BROKEN'],
  ['a reset', [{ delay: 30 }, { reset: true }], {}, 'MODEL_STREAM_BROKEN'],
])(
  'in mid-stream: %s is no normal end; the text so far is kept',
  async (_name, steps, v1, code) => {
    await using setup = await openOn('openai-compatible', {
      v1: v1 ?? {},
      turns: [{ times: 'always', steps: [{ text: 'Half ' }, ...steps] }],
    });
    const failure = await failureOf(send(setup.model));
    expect([failure.code, failure.details.partial]).toEqual([code, 'Half ']);
    expect(setup.fake.recording.to('/v1/chat/completions')).toHaveLength(1);
  },
);

test.each<[string, number, unknown, string, RegExp]>([
  [
    'llama.cpp: window',
    400,
    {
      error: {
        code: 400,
        message: 'request (6009 tokens) exceeds the available context size (4096 tokens)',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 6009,
        n_ctx: 4096,
      },
    },
    'MODEL_CONTEXT_EXCEEDED',
    /6009 tokens .* 4096 tokens/,
  ],
  [
    'vLLM: window',
    400,
    {
      object: 'error',
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).",
      type: 'BadRequestError',
      code: 400,
    },
    'MODEL_CONTEXT_EXCEEDED',
    /5000 tokens .* 4096 tokens/,
  ],
  [
    'OpenAI: window',
    400,
    {
      error: {
        message: 'too long',
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      },
    },
    'MODEL_CONTEXT_EXCEEDED',
    /does not fit/,
  ],
  [
    'Anthropic: window',
    400,
    { error: { message: 'prompt is too long: 210000 tokens > 200000 maximum' } },
    'MODEL_CONTEXT_EXCEEDED',
    /210000 tokens .* 200000 tokens/,
  ],
  [
    'LM Studio: nothing loaded',
    404,
    { error: { message: 'No models loaded. Please load a model in the developer page' } },
    'MODEL_NOT_FOUND',
    /Load one/,
  ],
  [
    'vLLM: unknown model',
    404,
    { object: 'error', message: 'The model `x` does not exist.' },
    'MODEL_NOT_FOUND',
    /does not have/,
  ],
  [
    'Gemini: errors in an array',
    404,
    [{ error: { code: 404, message: 'models/x is not found for API version v1main' } }],
    'MODEL_NOT_FOUND',
    /does not have/,
  ],
  [
    'a key that is refused',
    401,
    { error: { message: 'Invalid key' } },
    'MODEL_UNAUTHORIZED',
    /key/,
  ],
  [
    'the rate limit',
    429,
    { error: { message: 'Rate limit reached' } },
    'MODEL_OVERLOADED',
    /Rate limit/,
  ],
  ['FastAPI: another program', 404, { detail: 'Not Found' }, 'MODEL_NOT_A_MODEL_SERVER', /no chat/],
  ['a web server', 404, '<html>404</html>', 'MODEL_NOT_A_MODEL_SERVER', /no chat/],
  [
    'a gateway without its model',
    502,
    '<html>Bad gateway</html>',
    'MODEL_SERVER_UNREACHABLE',
    /behind it/,
  ],
  [
    'a refusal',
    400,
    { error: { message: 'temperature must be positive' } },
    'MODEL_BAD_REQUEST',
    /must be positive/,
  ],
  ['a failure', 500, { error: 'boom' }, 'MODEL_STREAM_BROKEN', /boom/],
])('refused: %s', async (_name, status, body, code, message) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  await using setup = await open([{ refuse: { status, body: text } }]);
  const failure = await failureOf(send(setup.model));
  expect([failure.code, failure.message]).toEqual([code, expect.stringMatching(message)]);
});

test('a model that llama.cpp is still loading is waited for, not failed', async () => {
  const body = JSON.stringify({
    error: { code: 503, message: 'Loading model', type: 'unavailable_error' },
  });
  await using setup = await openOn('openai-compatible', {
    turns: [{ steps: [{ refuse: { status: 503, body } }] }, { steps: [{ text: 'ok' }] }],
  });
  const { reply, progress } = await send(setup.model);
  expect([reply.content, progress.map((entry) => entry.kind)]).toEqual([
    'ok',
    ['retrying', 'waiting', 'text'],
  ]);
});

test('a request has the form of the protocol: images as parts, arguments as text', async () => {
  await using setup = await open([{ text: 'ok' }]);
  await send(setup.model, {
    tools: [],
    messages: [
      { role: 'user', content: 'Look', images: [{ mimeType: 'image/png', data: 'aGk=' }] },
    ],
    format: { type: 'object' },
    maxOutputTokens: 50,
  });
  expect(setup.fake.recording.to('/v1/chat/completions')[0]?.json).toEqual({
    model: 'fake:latest',
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 50,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
        ],
      },
    ],
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', schema: { type: 'object' } },
    },
  });
});

test('the window is learned from the list of models where the server tells it', async () => {
  const windows = [];
  for (const windowKey of ['none', 'max_model_len', 'meta'] as const) {
    await using setup = await openOn('openai-compatible', { v1: { windowKey } });
    windows.push([setup.model.contextWindow, setup.model.profile.trainedContext]);
  }
  expect(windows).toEqual([
    [null, null],
    [4096, 4096],
    [4096, 32_768],
  ]);
});

test('the window of a llama.cpp server is read from beside /v1', async () => {
  await using setup = await openOn('openai-compatible', {
    v1: { windowKey: 'props' },
    defaultContext: 8192,
    turns: [{ steps: [{ text: 'ok' }] }],
  });
  const before = setup.model.contextWindow;
  await send(setup.model);
  while (setup.model.contextWindow === null) await new Promise((done) => setTimeout(done, 5));
  expect([before, setup.model.contextWindow]).toEqual([null, 8192]);
});
