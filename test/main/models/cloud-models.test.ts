import { expect, test } from 'vitest';
import type { ServerOptionsInput, WireStepInput } from '../../fakes/model-server/options.ts';
import {
  CHAT_PATHS,
  CLOUD_KEY,
  contentOf,
  failureOf,
  HELLO,
  openOn,
  type Protocol,
  type Setup,
  send,
  stepsOf,
  TOOLS,
} from './harness.ts';

/** What decision 0001 found in LangChain's classes, each held by the adapter around them. */

const command = { command: 'ls -la /workspace' };
const call = { id: 'call_a', name: 'shell_command', arguments: command };
const plain = { content: '', reasoning: '', toolCalls: [], invalidToolCalls: [], finish: 'stop' };
const CLOUDS: readonly Protocol[] = ['openai', 'anthropic'];

type Json = Record<string, unknown>;

function open(
  cloud: Protocol,
  steps: readonly WireStepInput[],
  server: ServerOptionsInput = {},
): Promise<Setup> {
  return openOn(cloud, { turns: [{ steps: [...steps] }], ...server });
}

/** The body of request number `at`, from 0. */
function sentTo(cloud: Protocol, { fake }: Setup, at = 0): Json {
  return fake.recording.to(CHAT_PATHS[cloud])[at]?.json as Json;
}

function sse(...events: unknown[]): WireStepInput {
  return { raw: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') };
}

const half: Readonly<Record<string, readonly unknown[]>> = {
  openai: [
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Half' },
  ],
  anthropic: [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half' } },
  ],
};

for (const cloud of CLOUDS) {
  test(`${cloud}: text streams, with the figures of the server`, async () => {
    await using setup = await open(cloud, [
      { text: 'Hello there.' },
      { metrics: { prompt: 12, eval: 4 } },
    ]);
    const sent = await send(setup.model);
    expect([contentOf(sent), stepsOf(sent), sent.reply.usage.completionTokens]).toEqual([
      { ...plain, content: 'Hello there.' },
      [
        { kind: 'text', text: 'Hello' },
        { kind: 'text', text: ' there.' },
      ],
      4,
    ]);
    expect(sent.reply.usage.promptTokens).toBeGreaterThan(0);
  });

  test.each<[string, WireStepInput[], object]>([
    ['one call, whole', [{ call }], { toolCalls: [call] }],
    ['one call in fragments', [{ call: { ...call, pieces: 7 } }], { toolCalls: [call] }],
    [
      'two calls after text',
      [{ text: 'Now' }, { calls: [call, { ...call, id: 'call_b' }] }],
      { content: 'Now', toolCalls: [call, { ...call, id: 'call_b' }] },
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
      'arguments that are not an object are invalid',
      [{ call: { ...call, rawArguments: '["ls"]' } }],
      { invalidToolCalls: [expect.objectContaining({ rawArguments: '["ls"]' })] },
    ],
    [
      'a call cut by the output limit is not run',
      [{ text: 'Now' }, { call }, { finish: 'length' }],
      { content: 'Now', finish: 'length' },
    ],
    [
      'characters split over TCP writes',
      [{ bytewise: { everyMs: 0 } }, { text: '漢字 🎉', whole: true }],
      { content: '漢字 🎉' },
    ],
  ])(`${cloud}: %s`, async (_name, steps, expected) => {
    await using setup = await open(cloud, steps);
    expect(contentOf(await send(setup.model))).toEqual({ ...plain, ...expected });
  });

  test.each<[string, WireStepInput[], string]>([
    ['a stream that ends early', [{ text: 'Half', whole: true }, { cut: true }], 'may be cut'],
    [
      'a stream that ends early after a whole call',
      [{ text: 'Half', whole: true }, { call }, { cut: true }],
      'may be cut',
    ],
    ['an error in the stream', [{ text: 'Half', whole: true }, { error: 'boom' }], 'boom'],
    [
      'a line that is not JSON',
      [sse(...(half[cloud] ?? [])), { raw: 'data: {"type":\n\n' }],
      'unexpected line',
    ],
    [
      'an event without its fields',
      [
        sse(
          ...(half[cloud] ?? []),
          { type: 'content_block_start', index: 1 },
          { type: 'response.completed' },
        ),
      ],
      'not complete',
    ],
  ])(`${cloud}: %s is no end`, async (_name, steps, message) => {
    await using setup = await open(cloud, steps);
    const failure = await failureOf(send(setup.model));
    expect([failure.code, failure.details.partial, failure.message]).toEqual([
      'MODEL_STREAM_BROKEN',
      'Half',
      expect.stringContaining(message),
    ]);
  });

  test(`${cloud}: an answer with pauses is not silent`, async () => {
    const pause = { delay: 400 };
    await using setup = await openOn(
      cloud,
      { turns: [{ steps: [{ text: 'a' }, pause, { text: 'b' }, pause, { text: 'c' }, pause] }] },
      { parts: { limits: { idleMs: 1_000 } } },
    );
    expect((await send(setup.model)).reply.content).toBe('abc');
  });

  test(`${cloud}: only our headers go out, and the key in no body`, async () => {
    await using setup = await open(cloud, [{ text: 'ok' }]);
    await send(setup.model);
    const [request] = setup.fake.recording.to(CHAT_PATHS[cloud]);
    const { connection, host, 'content-length': _length, ...headers } = request?.headers ?? {};
    expect([connection, host]).toEqual(['keep-alive', expect.stringContaining('127.0.0.1')]);
    const own =
      cloud === 'openai'
        ? { authorization: `Bearer ${CLOUD_KEY}` }
        : { 'x-api-key': CLOUD_KEY, 'anthropic-version': '2023-06-01' };
    expect(headers).toEqual({ 'content-type': 'application/json', ...own });
    expect(request?.body).not.toContain(CLOUD_KEY);
    expect(setup.fake.recording.requests).toHaveLength(1);
  });

  test(`${cloud}: a busy server is asked once more, visibly; the class itself never repeats`, async () => {
    const busy = { refuse: { status: 503, body: '{"error":{"message":"overloaded"}}' } };
    await using setup = await openOn(cloud, {
      turns: [{ steps: [busy] }, { steps: [{ text: 'ok' }] }, { steps: [busy] }, { steps: [busy] }],
    });
    const { reply, progress } = await send(setup.model);
    const retries = progress.filter(({ kind }) => kind === 'retrying');
    expect([reply.content, retries.length]).toEqual(['ok', 1]);
    expect((await failureOf(send(setup.model))).code).toBe('MODEL_OVERLOADED');
    expect(setup.fake.recording.requests).toHaveLength(4);
  });

  test.each<[number, string, string]>([
    [
      401,
      '{"error":{"type":"authentication_error","message":"invalid x-api-key"}}',
      'MODEL_UNAUTHORIZED',
    ],
    [404, '{"error":{"type":"not_found_error","message":"model: nope"}}', 'MODEL_NOT_FOUND'],
    [429, '{"error":{"type":"rate_limit_error","message":"slow down"}}', 'MODEL_OVERLOADED'],
    [529, '{"error":{"type":"overloaded_error","message":"Overloaded"}}', 'MODEL_OVERLOADED'],
    [
      400,
      '{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}',
      'MODEL_CONTEXT_EXCEEDED',
    ],
    [
      400,
      '{"error":{"code":"context_length_exceeded","message":"Your input exceeds the context window"}}',
      'MODEL_CONTEXT_EXCEEDED',
    ],
    [500, '{"error":{"message":"internal"}}', 'MODEL_STREAM_BROKEN'],
  ])(`${cloud}: a refusal %i %s`, async (status, body, code) => {
    await using setup = await open(cloud, [{ refuse: { status, body } }]);
    expect((await failureOf(send(setup.model))).code).toBe(code);
  });

  test(`${cloud}: thinking goes back with the results of its calls, signed, and to no other model`, async () => {
    const models = [{ name: 'fake' }, { name: 'other' }];
    await using setup = await openOn(cloud, {
      models,
      turns: [
        { steps: [{ thinking: 'I need ls.' }, { call }] },
        { times: 'always', steps: [{ text: 'Done.' }] },
      ],
    });
    const { reply } = await send(setup.model);
    const follow = (model: string) => [
      ...HELLO,
      {
        role: 'assistant' as const,
        content: '',
        // The app gives calls ids of its own.
        toolCalls: reply.toolCalls.map((one) => ({
          ...one,
          id: 'own1',
          replay: { value: one.replay?.value, model },
        })),
      },
      { role: 'tool' as const, content: 'a.txt', toolCallId: 'own1', toolName: 'shell_command' },
    ];
    const key = `${cloud}:fake:latest`;
    expect([reply.reasoning, reply.toolCalls[0]?.replay?.model]).toEqual(['I need ls.', key]);
    await send(setup.model, { messages: follow(key) });
    await send(setup.model, { messages: follow(`${cloud}:other`) });
    const bodies = [1, 2].map((at) => JSON.stringify(sentTo(cloud, setup, at)));
    const sign = cloud === 'openai' ? 'sealed:I need ls.' : 'signed:I need ls.';
    expect(bodies.map((body) => body.includes(sign))).toEqual([true, false]);
  });

  test(`${cloud}: a tool that the class would leave out is an error`, async () => {
    await using setup = await open(cloud, [{ text: 'ok' }]);
    const choice = {
      name: 'choice',
      description: 'd',
      parameters: { anyOf: [{ type: 'object' }] },
    };
    const sending = send(setup.model, { tools: [...TOOLS, choice] });
    if (cloud === 'openai') await sending;
    else {
      const { code, message } = await failureOf(sending);
      expect([code, message]).toEqual(['MODEL_BAD_REQUEST', expect.stringContaining('choice')]);
    }
  });
}

test('openai: a request of the Responses API', async () => {
  await using setup = await open('openai', [{ text: '{}' }], { models: [{ name: 'fake' }] });
  await send(setup.model, {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look', images: [{ mimeType: 'image/png', data: 'aGk=' }] },
      { role: 'assistant', content: 'I look.', toolCalls: [call] },
      { role: 'tool', content: 'a.txt', toolCallId: 'call_a', toolName: 'shell_command' },
    ],
    ephemeralMessage: { role: 'user', content: 'Now.' },
    format: { type: 'object' },
    maxOutputTokens: 50,
    temperature: 0,
  });
  expect(sentTo('openai', setup)).toEqual({
    model: 'fake:latest',
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    // With room for thinking, which counts as output there.
    max_output_tokens: 16_050,
    tools: [{ type: 'function', strict: false, ...TOOLS[0] }],
    text: { format: { type: 'json_schema', name: 'answer', schema: { type: 'object' } } },
    input: [
      { type: 'message', role: 'system', content: 'Be brief.' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look' },
          { type: 'input_image', image_url: 'data:image/png;base64,aGk=', detail: 'auto' },
        ],
      },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
      },
      {
        type: 'function_call',
        name: 'shell_command',
        arguments: JSON.stringify(command),
        call_id: 'call_a',
      },
      { type: 'function_call_output', call_id: 'call_a', output: 'a.txt' },
      { type: 'message', role: 'user', content: 'Now.' },
    ],
  });
});

test('anthropic: a request of the Messages API', async () => {
  await using setup = await open('anthropic', [{ text: '{}' }]);
  await send(setup.model, {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look', images: [{ mimeType: 'image/png', data: 'aGk=' }] },
      { role: 'assistant', content: '', toolCalls: [call, { ...call, id: 'call_b' }] },
      { role: 'tool', content: 'a.txt', toolCallId: 'call_a', toolName: 'shell_command' },
      { role: 'tool', content: '', toolCallId: 'call_b', toolName: 'shell_command' },
      { role: 'assistant', content: '' },
    ],
    ephemeralMessage: { role: 'user', content: '' },
    format: { type: 'object', properties: { a: { type: 'string' } } },
    maxOutputTokens: 50,
    temperature: 0,
  });
  const use = (id: string): object => ({
    ...{ type: 'tool_use', id, name: 'shell_command', input: command },
  });
  expect(sentTo('anthropic', setup)).toEqual({
    model: 'fake:latest',
    stream: true,
    max_tokens: 16_050,
    cache_control: { type: 'ephemeral' },
    system: 'Be brief.',
    tools: [
      {
        name: 'shell_command',
        description: 'Runs a command.',
        input_schema: TOOLS[0]?.parameters,
      },
    ],
    output_config: {
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: { a: { type: 'string' } },
          additionalProperties: false,
        },
      },
    },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
        ],
      },
      { role: 'assistant', content: [use('call_a'), use('call_b')] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', content: 'a.txt', tool_use_id: 'call_a' },
          { type: 'tool_result', content: '', tool_use_id: 'call_b' },
        ],
      },
      { role: 'user', content: '(empty)' },
    ],
  });
});

test('what a model thinks and sees is known by its name, and models that think get no temperature', async () => {
  const names = ['gpt-6-astra', 'gpt-4.1'];
  const seen = [];
  for (const name of names) {
    await using setup = await openOn(
      'openai',
      { models: [{ name }], turns: [{ steps: [{ text: 'ok' }] }] },
      { name },
    );
    await send(setup.model, { temperature: 0, maxOutputTokens: 50 });
    const { temperature, include, max_output_tokens } = sentTo('openai', setup);
    const { thinking, vision } = setup.model.profile;
    seen.push([
      setup.model.contextWindow,
      thinking,
      vision,
      temperature,
      include,
      max_output_tokens,
    ]);
  }
  expect(seen).toEqual([
    [1_050_000, true, true, undefined, ['reasoning.encrypted_content'], 16_050],
    [1_047_576, false, true, 0, undefined, 50],
  ]);
});

test('openai: a call that was not streamed as a whole is not run', async () => {
  const item = { type: 'function_call', id: 'fc', call_id: 'call_a', name: 'shell_command' };
  const added = { ...item, arguments: '' };
  const done = { ...item, arguments: JSON.stringify(command) };
  await using setup = await open('openai', [
    sse(
      { type: 'response.output_item.added', output_index: 0, item: added },
      { type: 'response.output_item.done', output_index: 0, item: done },
      { type: 'response.completed', response: { id: 'r', output: [done] } },
    ),
  ]);
  const failure = await failureOf(send(setup.model));
  expect([failure.code, failure.message]).toEqual([
    'MODEL_STREAM_BROKEN',
    expect.stringContaining('not sent as a whole'),
  ]);
});

test.each<[Protocol, string, unknown[], object]>([
  [
    'openai',
    'stopped by a filter',
    [
      {
        type: 'response.incomplete',
        response: { incomplete_details: { reason: 'content_filter' } },
      },
    ],
    { code: 'MODEL_STREAM_BROKEN', message: expect.stringContaining('content_filter') },
  ],
  [
    'openai',
    'failed',
    [{ type: 'response.failed', response: { error: { code: 'server_error', message: 'boom' } } }],
    { code: 'MODEL_STREAM_BROKEN', message: expect.stringContaining('boom') },
  ],
  [
    'anthropic',
    'refused',
    [{ type: 'message_delta', delta: { stop_reason: 'refusal' }, usage: { output_tokens: 1 } }],
    { code: 'MODEL_STREAM_BROKEN', message: expect.stringContaining('refusal') },
  ],
])('%s: an answer that the server %s', async (cloud, _name, events, expected) => {
  await using setup = await open(cloud, [sse(...(half[cloud] ?? []), ...events)]);
  expect(await failureOf(send(setup.model))).toMatchObject({
    ...expected,
    details: { partial: 'Half' },
  });
});
