import { expect, test } from 'vitest';
import type { ChatMessage, ToolCall } from '#main/models/types.ts';
import { HELLO, openOn, send, stepsOf } from './harness.ts';

/** Tool calls that are not made natively, over real HTTP. */

const NO_TOOLS = { models: [{ name: 'fake:latest', capabilities: ['completion'] }] };
const CALL = '<tool_call>\n{"name": "shell_command", "arguments": {"command": "ls"}}\n</tool_call>';

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: unknown;
  readonly format?: unknown;
  readonly response_format?: unknown;
}

const made = (calls: readonly ToolCall[]) =>
  calls.map(({ name, arguments: given }) => [name, given]);

test.each(['ollama', 'openai-compatible'] as const)(
  '%s: a call that is written as text becomes a call and is never shown',
  async (protocol) => {
    await using setup = await openOn(protocol, {
      turns: [
        { steps: [{ text: `I look.\n${CALL}` }] },
        { steps: [{ text: '<think>Is it there?</think>It is.' }] },
        { steps: [{ text: `It would be:\n\n\`\`\`xml\n${CALL}\n\`\`\`\nas an example.` }] },
      ],
    });
    const called = await send(setup.model);
    const thought = await send(setup.model);
    const quoted = await send(setup.model);
    expect({
      calls: made(called.reply.toolCalls),
      means: called.reply.toolMeans,
      content: called.reply.content.trim(),
      shown: called.progress
        .map((entry) => ('text' in entry ? entry.text : ''))
        .join('')
        .trim(),
      thought: [thought.reply.reasoning, thought.reply.content, stepsOf(thought)[0]?.kind],
      quoted: [made(quoted.reply.toolCalls), quoted.reply.content.includes(CALL)],
    }).toEqual({
      calls: [['shell_command', { command: 'ls' }]],
      means: 'text',
      content: 'I look.',
      shown: 'I look.',
      thought: ['Is it there?', 'It is.', 'reasoning'],
      quoted: [[], true],
    });
  },
);

test('a call that is made natively and as text is one call', async () => {
  const call = { name: 'shell_command', arguments: { command: 'ls' } };
  await using setup = await openOn('ollama', { turns: [{ steps: [{ text: CALL }, { call }] }] });
  const { reply } = await send(setup.model);
  expect([made(reply.toolCalls), reply.toolMeans]).toEqual([
    [['shell_command', { command: 'ls' }]],
    'native',
  ]);
});

test('a call that the output limit cut is dropped, and its text is not shown', async () => {
  await using setup = await openOn('ollama', {
    turns: [{ steps: [{ text: `Now: ${CALL.slice(0, 50)}` }, { finish: 'length' }] }],
  });
  const { reply } = await send(setup.model);
  expect([reply.toolCalls, reply.invalidToolCalls, reply.finish]).toEqual([[], [], 'length']);
  expect(reply.content.startsWith('Now:')).toBe(true);
});

test('for a model without tools the prompt explains them, and every request extends the previous one', async () => {
  await using setup = await openOn('ollama', {
    ...NO_TOOLS,
    turns: [{ steps: [{ text: CALL }] }, { steps: [{ text: 'Two files.' }] }],
  });
  const first = await send(setup.model);
  const [call] = first.reply.toolCalls;
  if (call === undefined) throw new Error('no call came back');
  const round: ChatMessage[] = [
    { role: 'assistant', content: '', toolCalls: [call] },
    { role: 'tool', content: 'a\nb', toolCallId: call.id, toolName: call.name },
  ];
  const second = await send(setup.model, { messages: [...HELLO, ...round] });
  const bodies = setup.fake.recording.to('/api/chat').map(({ json }) => json as Body);
  expect({
    means: first.reply.toolMeans,
    answer: second.reply.content,
    prefix: second.reply.prefix.hit,
    tools: bodies.map((body) => body.tools),
    explained: bodies[0]?.messages[0]?.content.includes('"name":"shell_command"'),
    replayed: bodies[1]?.messages.slice(2),
  }).toEqual({
    means: 'protocol',
    answer: 'Two files.',
    prefix: true,
    tools: [undefined, undefined],
    explained: true,
    replayed: [
      {
        role: 'assistant',
        content: '<tool_call>\n{"name":"shell_command","arguments":{"command":"ls"}}\n</tool_call>',
      },
      {
        role: 'user',
        content: '<tool_response name="shell_command">\na\nb\n</tool_response>',
      },
    ],
  });
});

test.each([
  ['vLLM', 400, { message: '"auto" tool choice requires --enable-auto-tool-choice' }],
  ['llama.cpp', 500, { error: { code: 500, message: 'tools param requires --jinja flag' } }],
])(
  'a server that refuses tools (%s) is asked again without them, once and visibly',
  async (_name, status, body) => {
    await using setup = await openOn('openai-compatible', {
      turns: [
        { steps: [{ refuse: { status, body: JSON.stringify(body) } }] },
        { steps: [{ text: CALL }] },
        { steps: [{ text: 'Done.' }] },
      ],
    });
    const first = await send(setup.model);
    const second = await send(setup.model);
    expect([
      made(first.reply.toolCalls),
      first.progress.filter(({ kind }) => kind === 'retrying').length,
      second.reply.content,
      second.progress.some(({ kind }) => kind === 'retrying'),
      setup.fake.recording.to('/v1/chat/completions').length,
    ]).toEqual([[['shell_command', { command: 'ls' }]], 1, 'Done.', false, 3]);
  },
);

test('a call that cannot be parsed is retried once, constrained to a schema', async () => {
  const broken = { error: 'error parsing tool call: raw=\'{"command": \', err=unexpected end' };
  const corrected = '{"tool": "shell_command", "arguments": {"command": "ls"}}';
  await using setup = await openOn('ollama', {
    turns: [
      { steps: [{ text: 'Now.' }, broken] },
      { steps: [{ text: corrected }] },
      { steps: [{ text: 'Done.' }] },
    ],
  });
  const { reply, progress } = await send(setup.model);
  const after = await send(setup.model, {
    messages: [...HELLO, { role: 'assistant', content: 'Now.', toolCalls: reply.toolCalls }],
  });
  const bodies = setup.fake.recording.to('/api/chat').map(({ json }) => json as Body);
  expect({
    calls: made(reply.toolCalls),
    means: reply.toolMeans,
    content: reply.content,
    retries: progress.filter(({ kind }) => kind === 'retrying').length,
    shown: progress.some((entry) => entry.kind === 'text' && entry.text.includes('{')),
    constrained: bodies.map(({ format }) => format !== undefined),
    secondary: bodies.map(({ messages }) => messages.length),
    prefix: [reply.prefix.hit, after.reply.prefix.hit],
  }).toEqual({
    calls: [['shell_command', { command: 'ls' }]],
    means: 'constrained',
    content: 'Now.',
    retries: 1,
    shown: false,
    constrained: [false, true, false],
    secondary: [2, 3, 3],
    prefix: [true, true],
  });
});

test('if the server cannot constrain, or the model still fails, the call stays invalid', async () => {
  const broken = { error: "error parsing tool call: raw='{', err=unexpected end" };
  await using setup = await openOn('ollama', {
    turns: [
      { steps: [broken] },
      { steps: [{ text: 'I cannot.' }] },
      { steps: [broken] },
      { steps: [{ refuse: { status: 400, body: '{"error":"no grammar with tools"}' } }] },
      { steps: [broken] },
    ],
  });
  const replies = [await send(setup.model), await send(setup.model), await send(setup.model)];
  expect(replies.map(({ reply }) => reply.invalidToolCalls.length)).toEqual([1, 1, 1]);
  // After the refusal, constraining is not tried again.
  expect(setup.fake.recording.to('/api/chat').length).toBe(5);
});

test('without tools, nothing is a call', async () => {
  await using setup = await openOn('ollama', { turns: [{ steps: [{ text: CALL }] }] });
  const { reply } = await send(setup.model, { tools: [] });
  expect([reply.toolCalls, reply.invalidToolCalls, reply.content]).toEqual([[], [], CALL]);
});
