import { expect, test } from 'vitest';
import { parseStoredAnswer } from '#main/agents/stored-answer.ts';
import { parseStoredMessage } from '#main/models/stored-message.ts';
import type { ServerOptionsInput, WireStepInput } from '../../fakes/model-server/options.ts';
import { startModelServer } from '../../fakes/model-server/server.ts';
import {
  contentOf,
  HELLO,
  newRegistry,
  openAt,
  openOn,
  type Setup,
  send,
  stepsOf,
} from './harness.ts';

/** Behaviour of servers of OpenAI's protocol, each with its expected result. */

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
  expect([contentOf(sent), stepsOf(sent), sent.reply.usage]).toEqual([
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
    'two calls in fragments, distinguished by their index',
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
    'calls without any index, distinguished by their id',
    [{ call: { ...call, index: null } }, { call: { ...call, id: 'call_b', index: null } }],
    { toolCalls: [call, { ...call, id: 'call_b' }] },
  ],
  [
    'calls that all have index 0 (Gemini)',
    [{ call: { ...call, index: 0 } }, { call: { ...call, id: 'call_b', index: 0 } }],
    { toolCalls: [call, { ...call, id: 'call_b' }] },
  ],
  [
    'a missing or empty id is replaced by a new one',
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
    'arguments that are not an object are invalid',
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
    'an empty text means no arguments',
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

test('an answer in one piece is accepted, although a stream was requested', async () => {
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
  'thinking under %s is captured, and replayed in the tool round under the same key',
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

test('thinking goes back under its key also in a later process (DeepSeek)', async () => {
  await using server = await startModelServer({
    v1: { reasoningKey: 'reasoning_content' },
    turns: [{ steps: [{ thinking: 'I need ls.' }, { call }] }, { steps: [{ text: 'Done.' }] }],
  });
  const parts = { profileRegistry: newRegistry() };
  const before = await openAt('openai-compatible', server.url, { parts });
  const { reply } = await send(before);
  await before[Symbol.asyncDispose]();
  await using after = await openAt('openai-compatible', server.url, { parts });
  const { reasoning, toolCalls } = reply;
  await send(after, {
    messages: [
      ...HELLO,
      { role: 'assistant', content: '', reasoning, toolCalls },
      { role: 'tool', content: 'a.txt', toolCallId: 'call_a', toolName: 'shell_command' },
    ],
  });
  const [, second] = server.recording.to('/v1/chat/completions');
  expect(second?.json).toMatchObject({
    messages: [{}, {}, { reasoning_content: 'I need ls.' }, {}],
  });
});

test('nonstandard fields of a call are sent back with it (Gemini)', async () => {
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
  // The app gives calls ids of its own, and may have been restarted in between.
  const toolCalls = reply.toolCalls.map((one) => ({ ...one, id: 'own1' }));
  const answer = parseStoredMessage(
    JSON.parse(JSON.stringify({ role: 'assistant', content: '', toolCalls })),
  );
  const stored = parseStoredAnswer(JSON.parse(JSON.stringify(reply)));
  expect(stored.toolCalls).toEqual(reply.toolCalls);
  await send(setup.model, {
    messages: [...HELLO, answer, { role: 'tool', content: 'x', toolCallId: 'own1', toolName: 'f' }],
  });
  const [, second] = setup.fake.recording.to('/v1/chat/completions');
  expect(second?.json).toMatchObject({
    messages: [{}, {}, { tool_calls: [{ id: 'own1', extra_content }] }, {}],
  });
});

test('blocks of thinking are put together and sent back with the call (OpenRouter)', async () => {
  const detail = (fields: object): unknown =>
    delta({ reasoning: 'text' in fields ? fields.text : '', reasoning_details: [fields] });
  const block = { type: 'reasoning.text', format: 'google-gemini-v1', index: 0 };
  const sealed = { type: 'reasoning.encrypted', data: 'c2ln', id: 'tool_1', index: 1 };
  await using setup = await openOn('openai-compatible', {
    turns: [
      {
        steps: [
          sse(
            detail({ ...block, text: 'I ' }),
            detail({ ...block, text: 'look.', signature: null }),
            detail({ ...block, text: '', signature: 's1' }),
            detail(sealed),
          ),
          { call },
        ],
      },
      { steps: [{ text: 'Done.' }] },
    ],
  });
  const { reply } = await send(setup.model);
  const { reasoning, toolCalls } = reply;
  await send(setup.model, {
    messages: [
      ...HELLO,
      { role: 'assistant', content: '', reasoning, toolCalls },
      { role: 'tool', content: 'x', toolCallId: 'call_a', toolName: 'shell_command' },
    ],
  });
  const [, second] = setup.fake.recording.to('/v1/chat/completions');
  const { messages } = (second?.json ?? {}) as { messages?: Record<string, unknown>[] };
  const answer = messages?.[2];
  expect([reasoning, answer?.reasoning, answer?.reasoning_details]).toEqual([
    'I look.',
    undefined,
    [{ ...block, text: 'I look.', signature: 's1' }, sealed],
  ]);
});

test('a model that llama.cpp is still loading is waited for, not failed', async () => {
  const body = JSON.stringify({
    error: { code: 503, message: 'Loading model', type: 'unavailable_error' },
  });
  await using setup = await openOn('openai-compatible', {
    turns: [{ steps: [{ refuse: { status: 503, body } }] }, { steps: [{ text: 'ok' }] }],
  });
  const { reply, progress } = await send(setup.model);
  const all = progress.map((entry) => entry.kind);
  // A busy computer reports more waits, also before the first answer.
  const kinds = all.slice(all.indexOf('retrying'));
  const changes = kinds.filter((kind, at) => kind !== kinds[at - 1]);
  expect([reply.content, changes]).toEqual(['ok', ['retrying', 'waiting', 'text']]);
});

test('a request follows the protocol: images as parts, arguments as text', async () => {
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

test('the window is learned from the list of models if the server reports it', async () => {
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
