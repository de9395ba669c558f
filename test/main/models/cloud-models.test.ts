import { expect, test } from 'vitest';
import type { WireStepInput } from '../../fakes/model-server/options.ts';
import { call, command, openCloud, sentTo } from './cloud-harness.ts';
import {
  CHAT_PATHS,
  CLOUD_KEY,
  contentOf,
  failureOf,
  HELLO,
  openOn,
  type Protocol,
  send,
  stepsOf,
  TOOLS,
} from './harness.ts';

/** What decision 0001 found in LangChain's classes, each held by the adapter around them. */

const plain = { content: '', reasoning: '', toolCalls: [], invalidToolCalls: [], finish: 'stop' };
const CLOUDS: readonly Protocol[] = ['openai', 'anthropic'];

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
    await using setup = await openCloud(cloud, [
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
    await using setup = await openCloud(cloud, steps);
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
    await using setup = await openCloud(cloud, steps);
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
    await using setup = await openCloud(cloud, [{ text: 'ok' }]);
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
    const turns = [{ times: 'always' as const, steps: [{ refuse: { status, body } }] }];
    await using setup = await openOn(cloud, { turns });
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
    await using setup = await openCloud(cloud, [{ text: 'ok' }]);
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

test('openai: a call that was not streamed as a whole is not run', async () => {
  const item = { type: 'function_call', id: 'fc', call_id: 'call_a', name: 'shell_command' };
  const added = { ...item, arguments: '' };
  const done = { ...item, arguments: JSON.stringify(command) };
  await using setup = await openCloud('openai', [
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
  await using setup = await openCloud(cloud, [sse(...(half[cloud] ?? []), ...events)]);
  expect(await failureOf(send(setup.model))).toMatchObject({
    ...expected,
    details: { partial: 'Half' },
  });
});
