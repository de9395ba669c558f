import { expect, test } from 'vitest';
import { call, command, openCloud, sentTo } from './cloud-harness.ts';
import { openOn, send, TOOLS } from './harness.ts';

/** The bodies that clouds get. */

test('openai: a request of the Responses API', async () => {
  await using setup = await openCloud('openai', [{ text: '{}' }], { models: [{ name: 'fake' }] });
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
          { type: 'input_image', image_url: 'data:image/png;base64,aGk=', detail: 'high' },
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
  await using setup = await openCloud('anthropic', [{ text: '{}' }]);
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
