import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { AnswerBuilder } from '#main/models/answer-builder.ts';
import { readStructured } from '#main/models/structured-answer.ts';
import { defineTool } from '#main/tools/define-tool.ts';
import { openConversation } from '../../fakes/conversation.ts';
import type { WireStepInput } from '../../fakes/model-server/options.ts';
import { startModelServer } from '../../fakes/model-server/server.ts';

/**
 * Data nested 20,000 deep, which engines parse and nothing can write again, wherever a run meets them: each
 * ends that call or that answer with words, and no run as INTERNAL.
 */
const MODEL = { provider: 'ollama', name: 'x' } as const;
const LISTS = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const OBJECTS = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
/** Of keys without a pattern: a model that only repeats itself is stopped before. */
const WRITTEN = `${Array.from({ length: 5_000 }, (_, n) => `{"${(n * 7919) % 9_973}":`).join('')}1${'}'.repeat(5_000)}`;

async function runWith(first: readonly WireStepInput[], content = 'nothing') {
  const server = await startModelServer({
    models: [{ name: 'x', capabilities: ['completion', 'tools'] }],
    turns: [
      { when: { round: 0 }, times: 'always', steps: [...first] },
      { times: 'always', steps: [{ text: 'Done.' }] },
    ],
  });
  onTestFinished(() => server.close());
  const made: unknown[] = [];
  const take = defineTool({
    name: 'take',
    category: 'skill',
    description: 'Takes anything.',
    input: z.strictObject({ value: z.unknown().optional() }),
    risk: 'low',
    effect: 'read',
    run: async ({ value }) => {
      made.push(value);
      return { content, untrusted: 'https://peer.example/', data: { text: content } };
    },
  });
  const conversation = await openConversation(server, { contextWindow: 65_536, tools: [take] });
  const { run, events } = await conversation.say('Take it.', MODEL);
  const results = events.flatMap((event) => (event.type === 'tool_result' ? [event.status] : []));
  return { status: run.status, code: run.error?.code, made, results };
}

const nativeCall = (given: string): WireStepInput[] => [
  {
    raw: `{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"take","arguments":{"value":${given}}}}]},"done":false}\n`,
  },
  { text: '' },
];

it.each([
  ['lists', LISTS],
  ['objects', OBJECTS],
])(
  'in the arguments of a call (%s): the answer is refused, and the run says so',
  async (_, data) => {
    const { status, code, made } = await runWith(nativeCall(data));
    expect({ status, code, made }).toEqual({
      ...{ status: 'failed', code: 'MODEL_STREAM_BROKEN', made: [] },
    });
  },
);

it('in the refusal of a server: it is an error of that server', async () => {
  const refuse = { status: 500, body: `{"error":${OBJECTS}}` };
  const { status, code } = await runWith([{ refuse }]);
  expect([status, code]).toEqual(['failed', 'MODEL_STREAM_BROKEN']);
});

it('in a call that is written as text: it does not run, and the run goes on', async () => {
  const text = `<tool_call>{"name":"take","arguments":{"value":${WRITTEN}}}</tool_call>`;
  const { status, code, made } = await runWith([{ text, whole: true }]);
  expect(code).not.toBe('INTERNAL');
  expect([status, made]).toEqual(['completed', []]);
});

it('in text within arguments: it stays the text that it is', async () => {
  const value = JSON.stringify(LISTS);
  const { status, made } = await runWith(nativeCall(value));
  expect([status, made]).toEqual(['completed', [LISTS]]);
});

it('in what a page, a search or a program gives: it is text like any other', async () => {
  const { status, results } = await runWith(nativeCall('1'), OBJECTS);
  expect([status, results]).toEqual(['completed', ['ok']]);
});

it('in arguments that arrive as JSON text: the model gets an error', () => {
  const builder = new AnswerBuilder({ messages: [], tools: [] }, () => undefined);
  builder.call({ id: 'a', name: 'take', arguments: `{"value":${OBJECTS}}` });
  const { toolCalls, invalidToolCalls } = builder.build('stop');
  expect(toolCalls).toEqual([]);
  expect(invalidToolCalls[0]?.problem).toContain('nested more than 256 deep. Make it flatter.');
});

it('in a structured answer: it does not fit', () => {
  const schema = z.object({ steps: z.array(z.unknown()) });
  const nested = readStructured(`{"steps":${LISTS}}`, schema);
  expect(nested.ok).toBe(false);
  expect(readStructured('{"steps":[[[1]]]}', schema).ok).toBe(true);
});
