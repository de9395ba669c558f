import { expect, test } from 'vitest';
import { contentOf, failureOf, HELLO, openOn, send, stepsOf } from './harness.ts';

/** Scenarios of a scripted server without errors, each with its expected result. */

const command = { command: 'ls' };
const call = { id: 'call_a', name: 'shell_command', arguments: command };
const generated = {
  id: expect.stringMatching(/^call_/),
  name: 'shell_command',
  arguments: command,
};
const plain = { content: '', reasoning: '', toolCalls: [], invalidToolCalls: [], finish: 'stop' };

test('plain text arrives as it streams, with the figures of the server', async () => {
  await using setup = await openOn('ollama', {
    models: [{ name: 'fake', loadMs: 20 }],
    turns: [{ steps: [{ text: 'Hello there, reader.' }, { metrics: { prompt: 12, eval: 4 } }] }],
  });
  const sent = await send(setup.model);
  expect(contentOf(sent)).toEqual({ ...plain, content: 'Hello there, reader.' });
  expect(stepsOf(sent)).toEqual([
    { kind: 'text', text: 'Hello' },
    { kind: 'text', text: ' there,' },
    { kind: 'text', text: ' reader.' },
  ]);
  expect(sent.reply.usage).toEqual({
    promptTokens: 12,
    completionTokens: 4,
    loadMs: 21,
    firstTokenMs: expect.any(Number),
    durationMs: expect.any(Number),
  });
});

test.each([
  [
    'thinking, then content',
    [{ thinking: 'Hm.' }, { text: 'Yes.' }],
    { content: 'Yes.', reasoning: 'Hm.' },
  ],
  [
    'thinking and content in one chunk',
    [{ thinking: 'Hm.', text: 'Yes.' }],
    { content: 'Yes.', reasoning: 'Hm.' },
  ],
  [
    'thinking only, cut by the limit',
    [{ thinking: 'Hm, well' }, { finish: 'length' as const }],
    { reasoning: 'Hm, well', finish: 'length' },
  ],
  ['one call with an id', [{ call }], { toolCalls: [call] }],
  [
    'a call without id or index, as old versions send it',
    [{ call: { ...call, id: null, index: null } }],
    { toolCalls: [generated] },
  ],
  [
    'two calls in one chunk',
    [{ calls: [call, { ...call, id: 'call_b' }] }],
    { toolCalls: [call, { ...call, id: 'call_b' }] },
  ],
  [
    'two calls in two chunks',
    [{ call }, { call: { ...call, id: 'call_b' } }],
    { toolCalls: [call, { ...call, id: 'call_b' }] },
  ],
  [
    'two calls with the same id',
    [{ calls: [call, call] }],
    { toolCalls: [call, { ...call, id: expect.not.stringMatching(/^call_a$/) }] },
  ],
  [
    'content, then a call',
    [{ text: 'Let me see.' }, { call }],
    { content: 'Let me see.', toolCalls: [call] },
  ],
  [
    'empty arguments',
    [{ call: { ...call, arguments: {} } }],
    { toolCalls: [{ ...call, arguments: {} }] },
  ],
  [
    'a call, and the output limit: no call is run',
    [{ text: 'Doing' }, { call }, { finish: 'length' as const }],
    { content: 'Doing', finish: 'length' },
  ],
  [
    'characters split over TCP writes',
    [{ bytewise: { everyMs: 0 } }, { text: 'naïve 漢字 🎉', whole: true as const }],
    { content: 'naïve 漢字 🎉' },
  ],
  ['metrics absent', [{ text: 'Hi' }, { metrics: null }], { content: 'Hi' }],
])('%s', async (_name, steps, expected) => {
  await using setup = await openOn('ollama', { turns: [{ steps: [...steps] }] });
  expect(contentOf(await send(setup.model))).toEqual({ ...plain, ...expected });
});

test('native mode: all calls arrive in the final message', async () => {
  await using setup = await openOn('ollama', {
    models: [{ name: 'fake', native: true }],
    turns: [{ steps: [{ text: 'Two.' }, { call }, { call: { ...call, id: 'call_b' } }] }],
  });
  expect(contentOf(await send(setup.model))).toEqual({
    ...plain,
    content: 'Two.',
    toolCalls: [call, { ...call, id: 'call_b' }],
  });
});

test('an id that the conversation already contains is replaced', async () => {
  await using setup = await openOn('ollama', { turns: [{ steps: [{ call }] }] });
  const messages = [
    ...HELLO,
    { role: 'assistant' as const, content: '', toolCalls: [call] },
    { role: 'tool' as const, content: 'x', toolCallId: 'call_a', toolName: 'shell_command' },
  ];
  const { reply } = await send(setup.model, { messages });
  expect(reply.toolCalls).toEqual([generated]);
  expect(reply.toolCalls[0]?.id).not.toBe('call_a');
});

test('a request contains everything that Ollama needs, in its own format', async () => {
  await using setup = await openOn('ollama', {
    models: [{ name: 'fake', capabilities: ['completion', 'tools', 'thinking', 'vision'] }],
    turns: [{ times: 'always', steps: [{ text: 'ok' }] }],
  });
  await send(setup.model, {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look', images: [{ mimeType: 'image/png', data: 'aGk=' }] },
      { role: 'assistant', content: '', reasoning: 'I will look.', toolCalls: [call] },
      { role: 'tool', content: 'a.txt', toolCallId: 'call_a', toolName: 'shell_command' },
    ],
    format: { type: 'object' },
    temperature: 0,
    seed: 7,
    maxOutputTokens: 50,
  });
  expect(setup.fake.recording.to('/api/chat')[0]?.json).toEqual({
    model: 'fake:latest',
    stream: true,
    truncate: false,
    shift: false,
    think: true,
    options: { num_ctx: 16_384, temperature: 0, seed: 7, num_predict: 50 },
    tools: [
      {
        type: 'function',
        function: {
          name: 'shell_command',
          description: 'Runs a command.',
          parameters: {
            type: 'object',
            properties: { command: { type: 'string' } },
            required: ['command'],
          },
        },
      },
    ],
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look', images: ['aGk='] },
      {
        role: 'assistant',
        content: '',
        thinking: 'I will look.',
        tool_calls: [{ id: 'call_a', function: { name: 'shell_command', arguments: command } }],
      },
      { role: 'tool', content: 'a.txt', tool_name: 'shell_command', tool_call_id: 'call_a' },
    ],
    format: { type: 'object' },
  });
});

test('every request contains the window, so the model is loaded once', async () => {
  await using setup = await openOn('ollama', {
    turns: [{ times: 'always', steps: [{ text: 'ok' }] }],
  });
  await send(setup.model);
  await send(setup.model, { messages: [...HELLO, { role: 'user', content: 'More' }] });
  expect([setup.model.contextWindow, setup.fake.loads()]).toEqual([16_384, 1]);
});

test('the loaded window is read back once, and later requests stay unchanged', async () => {
  await using setup = await openOn('ollama', {
    largestContext: 4096,
    turns: [{ times: 'always', steps: [{ text: 'ok' }] }],
  });
  const { recording } = setup.fake;
  await send(setup.model);
  while (recording.to('/api/ps').length === 0 || setup.model.contextWindow !== 4096) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await send(setup.model);
  const asked = recording
    .to('/api/chat')
    .map(({ json }) => json as { options: { num_ctx: number } });
  expect([
    asked.map(({ options }) => options.num_ctx),
    recording.to('/api/ps').length,
    setup.fake.loads(),
  ]).toEqual([[16_384, 16_384], 1, 1]);
});

test('a prompt over the window is an error with its numbers, and no message is dropped', async () => {
  await using setup = await openOn('ollama', {
    models: [{ name: 'fake', trainedContext: 4096 }],
    turns: [{ steps: [{ text: 'never' }] }],
  });
  const messages = [...HELLO, { role: 'user' as const, content: 'x'.repeat(20_000) }];
  const failure = await failureOf(send(setup.model, { messages }));
  expect([failure.code, failure.details]).toEqual([
    'MODEL_CONTEXT_EXCEEDED',
    { promptTokens: expect.any(Number), contextWindow: 4096, partial: '' },
  ]);
  expect(setup.fake.recording.to('/api/chat').map((request) => request.dropped)).toEqual([[]]);
});

test('a cold load is waited for and reported as loading', async () => {
  await using setup = await openOn(
    'ollama',
    { models: [{ name: 'fake', loadMs: 350 }], turns: [{ steps: [{ text: 'ok' }] }] },
    { parts: { limits: { waitingEveryMs: 50, idleMs: 100 } } },
  );
  const { progress } = await send(setup.model);
  const waiting = progress.filter((entry) => entry.kind === 'waiting');
  expect(waiting.length).toBeGreaterThan(0);
  expect(new Set(waiting.map((entry) => entry.phase))).toEqual(new Set(['loading']));
  expect(setup.fake.recording.to('/api/chat')).toHaveLength(1);
});

test('a call that the server could not parse becomes an invalid call, for the model to correct', async () => {
  await using setup = await openOn('ollama', {
    turns: [
      {
        steps: [
          { text: 'Now.' },
          { error: 'error parsing tool call: raw=\'{"a": \', err=unexpected end' },
        ],
      },
      // Answers to the one constrained retry of each call.
      { steps: [{ text: 'no' }] },
      { steps: [{ error: 'tool "nosuch" is not declared' }] },
      { steps: [{ text: 'no' }] },
    ],
  });
  const inStream = await send(setup.model);
  const before = await send(setup.model);
  expect([contentOf(inStream), contentOf(before)]).toEqual([
    {
      ...plain,
      content: 'Now.',
      invalidToolCalls: [
        {
          id: expect.stringMatching(/^call_/),
          name: '',
          rawArguments: '{"a": ',
          problem: expect.stringContaining('could not read'),
        },
      ],
    },
    {
      ...plain,
      invalidToolCalls: [expect.objectContaining({ name: 'nosuch' })],
    },
  ]);
});
