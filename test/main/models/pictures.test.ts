import { expect, test } from 'vitest';
import type { PictureRef } from '#main/models/pictures/picture-ref.ts';
import { type PictureSource, withPictures } from '#main/models/pictures/with-pictures.ts';
import type { ChatMessage, ChatModel, ModelFacts } from '#main/models/types.ts';
import { CHAT_PATHS, openOn, type Protocol, send } from './harness.ts';

/** What each protocol is sent of messages that refer to pictures. */

const picture = (name: string): PictureRef => ({
  ...{ name, sha256: 'a'.repeat(64), mimeType: 'image/png', width: 1_200, height: 800 },
});
const call = (id: string) => ({ id, name: 'shell_command', arguments: { command: 'ls' } });
const MESSAGES: readonly ChatMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Look', pictures: [picture('a.png'), picture('b.png')] },
  { role: 'assistant', content: '', reasoning: 'First c.', toolCalls: [call('1'), call('2')] },
  {
    ...{ role: 'tool', content: 'c.png', toolCallId: '1', toolName: 'shell_command' },
    pictures: [picture('c.png')],
  },
  { role: 'tool', content: 'none', toolCallId: '2', toolName: 'shell_command' },
];
const RESULTS_NOTE = '[Pictures from these results, in order: c.png]';
const bytesOf = (name: string, width: number): string =>
  Buffer.from(`${name} ${width}`).toString('base64');

/** Reads the sizes that are asked for, and what was not sent. */
function source(): PictureSource & { notSent: string[]; loads: string[] } {
  const notSent: string[] = [];
  const loads: string[] = [];
  return {
    notSent,
    loads,
    load: async ({ name }, { width, height }) => {
      loads.push(`${name} ${width}x${height}`);
      return { mimeType: 'image/png', data: bytesOf(name, width) };
    },
    onNotSent: (_model, names) => void notSent.push(...names),
  };
}

function seeing(model: ChatModel, vision: ModelFacts['vision'] = true): ChatModel {
  return { ...model, profile: { ...model.profile, vision }, send: model.send.bind(model) };
}

const urlOf = (name: string): string => `data:image/png;base64,${bytesOf(name, 1_200)}`;

const EXPECTED: Readonly<Record<Protocol, unknown>> = {
  ollama: [
    { role: 'system', content: 'Be brief.' },
    {
      ...{ role: 'user', content: 'Look' },
      images: [bytesOf('a.png', 1_200), bytesOf('b.png', 1_200)],
    },
    {
      ...{ role: 'assistant', content: '', thinking: 'First c.' },
      tool_calls: ['1', '2'].map((id) => ({
        id,
        function: { name: 'shell_command', arguments: { command: 'ls' } },
      })),
    },
    { role: 'tool', content: 'c.png', tool_name: 'shell_command', tool_call_id: '1' },
    { role: 'tool', content: 'none', tool_name: 'shell_command', tool_call_id: '2' },
    { role: 'user', content: RESULTS_NOTE, images: [bytesOf('c.png', 1_200)] },
  ],
  'openai-compatible': [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: urlOf('a.png') } },
        { type: 'image_url', image_url: { url: urlOf('b.png') } },
      ],
    },
    {
      ...{ role: 'assistant', content: '' },
      tool_calls: ['1', '2'].map((id) => ({
        ...{ id, type: 'function' },
        function: { name: 'shell_command', arguments: '{"command":"ls"}' },
      })),
    },
    { role: 'tool', content: 'c.png', tool_call_id: '1' },
    { role: 'tool', content: 'none', tool_call_id: '2' },
    {
      role: 'user',
      content: [
        { type: 'text', text: RESULTS_NOTE },
        { type: 'image_url', image_url: { url: urlOf('c.png') } },
      ],
    },
  ],
  openai: [
    { type: 'message', role: 'system', content: 'Be brief.' },
    {
      ...{ type: 'message', role: 'user' },
      content: [
        { type: 'input_text', text: 'Look' },
        { type: 'input_image', image_url: urlOf('a.png'), detail: 'high' },
        { type: 'input_image', image_url: urlOf('b.png'), detail: 'high' },
      ],
    },
    ...['1', '2'].map((id) => ({
      ...{ type: 'function_call', name: 'shell_command', arguments: '{"command":"ls"}' },
      call_id: id,
    })),
    { type: 'function_call_output', call_id: '1', output: 'c.png' },
    { type: 'function_call_output', call_id: '2', output: 'none' },
    {
      ...{ type: 'message', role: 'user' },
      content: [
        { type: 'input_text', text: RESULTS_NOTE },
        { type: 'input_image', image_url: urlOf('c.png'), detail: 'high' },
      ],
    },
  ],
  anthropic: [
    {
      role: 'user',
      content: [{ type: 'text', text: 'Look' }, imageBlock('a.png'), imageBlock('b.png')],
    },
    {
      role: 'assistant',
      content: ['1', '2'].map((id) => ({
        ...{ type: 'tool_use', id, name: 'shell_command', input: { command: 'ls' } },
      })),
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: '1', content: 'c.png' },
        { type: 'tool_result', tool_use_id: '2', content: 'none' },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: RESULTS_NOTE }, imageBlock('c.png')] },
  ],
};

function imageBlock(name: string): object {
  const data = bytesOf(name, 1_200);
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
}

test.each(Object.keys(EXPECTED) as Protocol[])(
  '%s: pictures of a turn and of results',
  async (protocol) => {
    await using setup = await openOn(protocol, {
      models: [
        { name: 'fake:latest', capabilities: ['completion', 'tools', 'vision', 'thinking'] },
      ],
      turns: [{ times: 'always', steps: [{ text: 'I see.' }] }],
    });
    const from = source();
    const model = withPictures(seeing(setup.model), from);
    await send(model, { messages: MESSAGES });
    const more: ChatMessage[] = [...MESSAGES, { role: 'assistant', content: 'I see.' }];
    const { reply } = await send(model, { messages: [...more, { role: 'user', content: 'And?' }] });
    const [first, second] = setup.fake.recording.to(CHAT_PATHS[protocol]).map(({ json }) => json);
    const key = protocol === 'openai' ? 'input' : 'messages';
    const sent = (first as Record<string, unknown>)[key];
    expect(sent).toEqual(EXPECTED[protocol]);
    // The same bytes again, so that the server keeps its cache; each picture was read once.
    expect((second as Record<string, unknown[]>)[key]?.slice(0, (sent as []).length)).toEqual(sent);
    expect(reply.prefix.hit).toBe(true);
    expect(from.loads.map((load) => load.split(' ')[0])).toEqual(['a.png', 'b.png', 'c.png']);
    expect(from.notSent).toEqual([]);
  },
);

test.each([false, null])(
  'a model whose vision is %s is sent words, never a picture',
  async (vision) => {
    await using setup = await openOn('ollama', {
      turns: [{ times: 'always', steps: [{ text: 'I see nothing.' }] }],
    });
    const from = source();
    const model = withPictures(seeing(setup.model, vision), from);
    await send(model, { messages: MESSAGES });
    await send(model, { messages: MESSAGES });
    const [request] = setup.fake.recording.to('/api/chat');
    const { messages } = (request?.json ?? {}) as {
      messages: { content: string; images?: unknown }[];
    };
    expect(messages.filter(({ images }) => images !== undefined)).toEqual([]);
    expect(messages[1]?.content).toBe(
      'Look\n\n[You do not see pictures, so a.png, b.png was not sent to you. Do not guess what is in it: analyze_image asks a model that sees.]',
    );
    expect(messages.at(-1)?.content).toContain('c.png was not sent to you');
    // Reported once, and nothing was read.
    expect(from.notSent).toEqual(['a.png', 'b.png', 'c.png']);
    expect(from.loads).toEqual([]);
  },
);

test('a picture that is no longer kept is said to be gone; the others are sent', async () => {
  await using setup = await openOn('ollama', {
    models: [{ name: 'fake:latest', capabilities: ['completion', 'tools', 'vision'] }],
    turns: [{ steps: [{ text: 'Ok.' }] }],
  });
  const model = withPictures(setup.model, {
    ...source(),
    load: async ({ name }) => (name === 'a.png' ? null : { mimeType: 'image/png', data: 'aGk=' }),
  });
  await send(model, { messages: MESSAGES.slice(0, 2) });
  const [request] = setup.fake.recording.to('/api/chat');
  const { messages } = (request?.json ?? {}) as { messages: unknown[] };
  expect(messages[1]).toEqual({
    role: 'user',
    content: 'Look\n\n[a.png is no longer kept on this computer and was not sent.]',
    images: ['aGk='],
  });
});
