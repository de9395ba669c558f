import { expect, test } from 'vitest';
import { encodeOllamaMessage } from '#main/models/ollama/ollama-wire.ts';
import { RequestComposer } from '#main/models/request-composer.ts';
import type { ChatMessage } from '#main/models/types.ts';

const system: ChatMessage = { role: 'system', content: 'Be brief.' };
const question: ChatMessage = { role: 'user', content: 'List the files — all of them' };
const called: ChatMessage = {
  role: 'assistant',
  content: '',
  reasoning: 'I need ls.',
  toolCalls: [{ id: 'call_1', name: 'shell_command', arguments: { command: 'ls' } }],
};
const result: ChatMessage = {
  role: 'tool',
  content: 'a.txt',
  toolCallId: 'call_1',
  toolName: 'shell_command',
};

function composer(): RequestComposer {
  return new RequestComposer({ encode: encodeOllamaMessage });
}

test('a growing conversation keeps every earlier byte, and the report counts them', () => {
  const one = composer();
  const head = { model: 'm', tools: [{ name: 't' }] };
  const first = one.compose({ head, messages: [system, question], tail: {} });
  const second = one.compose({
    head,
    messages: [system, question, called, result],
    tail: { format: { type: 'object' } },
  });
  const third = one.compose({ head, messages: [system, question, called, result], tail: {} });

  const withoutEnd = first.body.subarray(0, first.body.length - ']}'.length);
  expect(second.body.subarray(0, withoutEnd.length).equals(withoutEnd)).toBe(true);
  expect(JSON.parse(second.body.toString())).toEqual({
    model: 'm',
    tools: [{ name: 't' }],
    messages: [system, question, called, result].map((message) =>
      JSON.parse(JSON.stringify(encodeOllamaMessage(message, { withReasoning: true }))),
    ),
    format: { type: 'object' },
  });
  expect([first.prefix, second.prefix, third.prefix.hit]).toEqual([
    { hit: true, bytes: 0 },
    { hit: true, bytes: withoutEnd.length + 1 },
    true,
  ]);
});

test('one changed byte is a miss at that byte, in the head as in a message', () => {
  const one = composer();
  const before = one.compose({ head: { model: 'm' }, messages: [system, question], tail: {} });
  const changed: ChatMessage = { role: 'user', content: 'List the files — any of them' };
  const message = one.compose({ head: { model: 'm' }, messages: [system, changed], tail: {} });
  const shorter = one.compose({ head: { model: 'm' }, messages: [system], tail: {} });
  const head = one.compose({ head: { model: 'n' }, messages: [system], tail: {} });

  expect(message.prefix).toEqual({ hit: false, bytes: before.body.indexOf('all of them') + 1 });
  expect(shorter.prefix.hit).toBe(false);
  expect(head.prefix).toEqual({ hit: false, bytes: '{"model":"'.length });
});

test('thinking is replayed in the current turn, and left out of earlier ones', () => {
  const next: ChatMessage = { role: 'user', content: 'And now?' };
  const messages = [system, question, called, result];
  const during = composer().compose({ head: {}, messages, tail: {} }).body.toString();
  const after = composer().compose({ head: {}, messages: [...messages, next], tail: {} });
  expect([during.includes('I need ls.'), after.body.toString().includes('I need ls.')]).toEqual([
    true,
    false,
  ]);
});

test('a user message in the middle of a turn does not remove thinking that was replayed', () => {
  const one = composer();
  const note: ChatMessage = { role: 'user', content: 'That call was not valid.' };
  one.compose({ head: {}, messages: [system, question, called, result], tail: {} });
  const { prefix } = one.compose({
    head: {},
    messages: [system, question, called, result, note],
    tail: {},
  });
  expect(prefix.hit).toBe(true);
});
