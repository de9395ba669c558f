import { expect, test } from 'vitest';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { askStructured, readStructured } from '#main/models/structured-answer.ts';
import type { ChatModel, ModelReply } from '#main/models/types.ts';

type SendRequest = Parameters<ChatModel['send']>[0];

const Answer = z.object({ goal: z.string(), steps: z.array(z.string()) });
const VALUE = { goal: 'a "quoted" {goal}', steps: ['one ]', 'two'] };
const JSON_TEXT = JSON.stringify(VALUE);

test.each([
  ['alone', JSON_TEXT],
  ['in a fence', `Sure:\n\`\`\`json\n${JSON_TEXT}\n\`\`\`\nThat is it.`],
  ['in the second fence', `\`\`\`json\n{"example": 1}\n\`\`\`\nso\n\`\`\`\n${JSON_TEXT}\n\`\`\``],
  ['between words', `Here it is: ${JSON_TEXT}. I hope {this} helps [you].`],
  ['after the format', `The format is {"goal": …, "steps": []}. So:\n${JSON_TEXT}`],
  ['after a draft that does not fit', `{"goal": 1}\n${JSON_TEXT}`],
  ['twice', `${JSON_TEXT}\n${JSON_TEXT}`],
  ['after a bracket that never closes', `[Step 1 of 2 … ${JSON_TEXT}`],
])('a value %s is found', (_name, text) => {
  expect(readStructured(text, Answer)).toEqual({ ok: true, value: VALUE });
});

test('the reported problem is that of the first value; text without JSON is reported as such', () => {
  expect(readStructured(`{"goal": "x"}\n{"other": 1}`, Answer)).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/^steps: /),
  });
  for (const text of ['', 'No.', '{"goal": "x', '42', '"text"', '[[[[', '{'.repeat(50_000)]) {
    expect(readStructured(text, Answer)).toEqual({
      ...{ ok: false, problem: 'There is no JSON in it.', text },
    });
  }
});

test('an answer that was stopped because it repeated itself is a wrong one, and asked for once more', async () => {
  const stuck = new AppError('MODEL_OUTPUT_INCOMPLETE', 'over and over');
  const ask = async (...said: readonly (string | Error)[]) => {
    const asked: SendRequest[] = [];
    const model = {
      send: async (request: SendRequest) => {
        asked.push({ ...request, messages: [...request.messages] });
        const next = said[asked.length - 1];
        if (next instanceof Error) throw next;
        return { content: next } as ModelReply;
      },
    } as unknown as ChatModel;
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    const answer = await askStructured(model, { messages: [], schema: Answer }, options);
    return { answer, asked };
  };
  const once = await ask(stuck, JSON_TEXT);
  expect(once.answer).toEqual({ ok: true, value: VALUE });
  expect(once.asked[1]?.messages.at(-1)?.content).toContain('over and over');
  const twice = await ask(stuck, stuck);
  expect(twice.answer).toMatchObject({ ok: false, problem: 'It says the same over and over.' });
  expect(twice.asked).toHaveLength(2);
  await expect(ask(new AppError('MODEL_STALLED', 'down'))).rejects.toThrow('down');
});
