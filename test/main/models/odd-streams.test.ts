import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { askStructured } from '#main/models/structured-answer.ts';
import type { WireStepInput } from '../../fakes/model-server/options.ts';
import { contentOf, openOn, type Protocol, send } from './harness.ts';

/** Servers that write the protocol in their own way: the answer is the same. */

const command = { command: 'ls' };
const call = { id: 'call_a', name: 'shell_command', arguments: command };
const plain = { content: '', reasoning: '', toolCalls: [], invalidToolCalls: [], finish: 'stop' };

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const choice = (delta: object, finish_reason: string | null = null, index = 0): object => ({
  choices: [{ index, delta, finish_reason }],
});
const stop = event(choice({}, 'stop'));
const hello = `${event(choice({ content: 'Hel' }))}${event(choice({ content: 'lo' }))}${stop}`;
const fragment = (fields: object): string =>
  event(choice({ tool_calls: [{ index: 0, ...fields }] }));
const ollama = '{"message":{"role":"assistant","content":"Hello"},"done":false}\n{"done":true}\n';

/** A whole answer, as it stands on the wire. */
function answer(body: string): WireStepInput[] {
  return [{ raw: body }, { cut: true }];
}

test.each<[string, Protocol, string, object]>([
  ['a byte order mark before events', 'openai-compatible', `\ufeff${hello}`, { content: 'Hello' }],
  ['a byte order mark before lines', 'ollama', `\ufeff${ollama}`, { content: 'Hello' }],
  [
    'a byte order mark before one value',
    'openai-compatible',
    `\ufeff${JSON.stringify({ choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] })}`,
    { content: 'Hello' },
  ],
  [
    'lines that end with CR',
    'openai-compatible',
    hello.replaceAll('\n', '\r'),
    { content: 'Hello' },
  ],
  [
    'lines that end with CRLF',
    'openai-compatible',
    hello.replaceAll('\n', '\r\n'),
    { content: 'Hello' },
  ],
  [
    'several choices: only the first is read, whatever their order',
    'openai-compatible',
    event({
      choices: [
        { index: 1, delta: { content: 'Other' } },
        { index: 0, delta: { content: 'Hello' } },
      ],
    }) +
      event(choice({ content: ' other' }, 'stop', 1)) +
      event(choice({ content: ' there' })) +
      stop,
    { content: 'Hello there' },
  ],
  [
    'one call whose id changes with each fragment',
    'openai-compatible',
    fragment({ id: 'call_a', function: { name: 'shell_command', arguments: '{"com' } }) +
      fragment({ id: 'call_b', function: { arguments: 'mand":' } }) +
      fragment({ id: 'call_c', function: { name: '', arguments: '"ls"}' } }) +
      stop,
    { toolCalls: [call] },
  ],
  [
    'one call whose id changes and whose name is repeated',
    'openai-compatible',
    fragment({ id: 'call_a', function: { name: 'shell_command', arguments: '{"com' } }) +
      fragment({ id: 'call_b', function: { name: 'shell_command', arguments: 'mand":"ls"}' } }) +
      fragment({
        id: 'call_c',
        function: { name: 'shell_command', arguments: '{"command":"ls"}' },
      }) +
      stop,
    { toolCalls: [call, { ...call, id: 'call_c' }] },
  ],
  [
    'thinking in `thinking`',
    'openai-compatible',
    event(choice({ thinking: 'Hm.' })) + hello,
    { content: 'Hello', reasoning: 'Hm.' },
  ],
  [
    'thinking in blocks alone (OpenRouter)',
    'openai-compatible',
    event(choice({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'H' }] })) +
      event(choice({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'm.' }] })) +
      hello,
    { content: 'Hello', reasoning: 'Hm.' },
  ],
  [
    'thinking in parts of the content (Mistral)',
    'openai-compatible',
    event(choice({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] })) +
      event(choice({ content: [{ type: 'text', text: 'Hello' }] })) +
      stop,
    { content: 'Hello', reasoning: 'Hm.' },
  ],
])('%s', async (_name, protocol, body, expected) => {
  await using setup = await openOn(protocol, { turns: [{ steps: answer(body) }] });
  expect(contentOf(await send(setup.model))).toEqual({ ...plain, ...expected });
});

test('a CR at the end of a packet and its LF in the next are one line end', async () => {
  const steps = answer(hello.replaceAll('\n', '\r\n'));
  await using setup = await openOn('openai-compatible', {
    turns: [{ steps: [{ bytewise: { everyMs: 0 } }, ...steps] }],
  });
  expect((await send(setup.model)).reply.content).toBe('Hello');
});

test.each<Protocol>(['openai-compatible', 'ollama'])(
  '%s: a packed answer is unpacked, although none was asked for',
  async (protocol) => {
    const body = protocol === 'ollama' ? ollama : hello;
    const packed = gzipSync(body).toString('base64');
    await using setup = await openOn(protocol, {
      turns: [
        {
          steps: [{ header: { 'content-encoding': 'gzip' } }, { rawBase64: packed }, { cut: true }],
        },
      ],
    });
    expect((await send(setup.model)).reply.content).toBe('Hello');
  },
);

test('a packed answer that breaks off, is not packed, or is huge once unpacked is a failure', async () => {
  const whole = gzipSync(hello);
  const bomb = gzipSync(event(choice({ content: ' '.repeat(40 * 1024 * 1024) })));
  for (const bytes of [whole.subarray(0, -20), Buffer.from(hello), bomb]) {
    const steps = [
      { header: { 'content-encoding': 'gzip' } },
      { rawBase64: bytes.toString('base64') },
      { cut: true as const },
    ];
    await using setup = await openOn('openai-compatible', { turns: [{ steps }] });
    await expect(send(setup.model)).rejects.toMatchObject({ code: 'MODEL_STREAM_BROKEN' });
  }
});

test('JSON that a server put where thinking belongs is the answer (LM Studio)', async () => {
  const body =
    event(choice({ reasoning_content: '{"total": ' })) +
    event(choice({ reasoning_content: '61}' })) +
    stop;
  await using setup = await openOn('openai-compatible', { turns: [{ steps: answer(body) }] });
  const found = await askStructured(
    setup.model,
    {
      messages: [{ role: 'user', content: 'The total?' }],
      schema: z.object({ total: z.number() }),
    },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
  expect(found).toEqual({ ok: true, value: { total: 61 } });
  expect(setup.fake.recording.to('/v1/chat/completions')).toHaveLength(1);
});

test.each<[string, object, object]>([
  [
    'parts of the content (Mistral)',
    { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] },
    {
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
        { type: 'text', text: 'I look.' },
      ],
    },
  ],
  ['`thinking`', { thinking: 'Hm.' }, { content: 'I look.', thinking: 'Hm.' }],
])(
  'thinking in %s goes back there with the results of its calls',
  async (_name, given, expected) => {
    const body =
      event(choice(given)) +
      event(choice({ content: 'I look.' })) +
      fragment({
        id: 'call_a',
        function: { name: 'shell_command', arguments: '{"command":"ls"}' },
      }) +
      stop;
    await using setup = await openOn('openai-compatible', {
      turns: [{ steps: answer(body) }, { steps: [{ text: 'Done.' }] }],
    });
    const { reply } = await send(setup.model);
    const { content, reasoning, toolCalls } = reply;
    await send(setup.model, {
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content, reasoning, toolCalls },
        { role: 'tool', content: 'a.txt', toolCallId: 'call_a', toolName: 'shell_command' },
      ],
    });
    const second = setup.fake.recording.to('/v1/chat/completions')[1]?.json as {
      messages: object[];
    };
    expect(second.messages[1]).toEqual({
      role: 'assistant',
      ...expected,
      tool_calls: [
        {
          id: 'call_a',
          type: 'function',
          function: { name: 'shell_command', arguments: '{"command":"ls"}' },
        },
      ],
    });
  },
);
