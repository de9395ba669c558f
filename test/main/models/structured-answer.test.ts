import { expect, test } from 'vitest';
import { z } from 'zod';
import { readStructured } from '#main/models/structured-answer.ts';

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
