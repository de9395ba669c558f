import fc from 'fast-check';
import { expect, it } from 'vitest';
import { reviewSegments, reviewText } from '#contract/deceptive-text.ts';
import { describeQuestion } from '#main/cli/question-text.ts';
import { styleFor } from '#main/cli/style.ts';

const marks = (text: string): string[] =>
  reviewSegments(text).flatMap((one) => (one.kind === 'plain' ? [] : [one.text]));

it.each([
  ['a letter of another script in a word', 'curl https://g\u043eogle.test', ['о⟨U+043E⟩']],
  [
    'a word of nothing but such letters',
    'rm \u0441\u043e\u0440\u0443',
    ['с⟨U+0441⟩', 'о⟨U+043E⟩', 'р⟨U+0440⟩', 'у⟨U+0443⟩'],
  ],
  ['a Greek letter in a name', 'impοrt os', ['ο⟨U+03BF⟩']],
  ['a mathematical letter', 'ｅxec𝐚', ['ｅ⟨U+FF45⟩', '𝐚⟨U+1D41A⟩']],
  ['a slash that is none', 'https://a.test∕.b.test', ['∕⟨U+2215⟩']],
  ['a hidden character', 'a\u200bb', ['⟨U+200B⟩']],
  ['Russian', 'print("Сору нет, рост есть: оса")', []],
  ['Greek', 'τι είναι αυτό', []],
  ['Chinese with its own signs', '打印：“你好”。ＯＫ', []],
  ['accents', 'café naïve Zoë', []],
  ['quotes and dashes of prose', 'it’s “so” — and so on', []],
  ['a few blank lines', 'a\n\n\n\nb', []],
  ['indentation', `${' '.repeat(40)}x`, []],
])('marks what deceives, and nothing else: %s', (_name, text, expected) => {
  expect(marks(text)).toEqual(expected);
});

it('counts a gap instead of showing it', () => {
  const payload = 'rm -rf /workspace';
  const text = `echo ok\n${'\n'.repeat(400)}${payload}${' '.repeat(500)}; evil`;
  expect(reviewText(text)).toBe(`echo ok\n⟨400 blank lines⟩\n${payload}⟨500 spaces⟩; evil`);
  expect(reviewText(`a\n${' \t\n'.repeat(50)}b`)).toBe('a\n⟨50 blank lines⟩\nb');
});

it('shows it all in a terminal, a line each', () => {
  const argumentsText = JSON.stringify({ language: 'bash', code: `ok${'\n'.repeat(301)}еvil` });
  const question = { title: 'Run this Python code?', message: '', reasons: [], options: [] };
  const shown = describeQuestion({ ...question, argumentsText }, styleFor({}, {}));
  expect(shown.split('\n').slice(2)).toEqual([
    ...['  | ok', '  | ⟨300 blank lines⟩', '  | е⟨U+0435⟩vil'],
  ]);
});

it('leaves every other text as it is', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ -~]{0,60}$/), (text) => {
      expect(
        reviewSegments(text)
          .map((one) => one.text)
          .join(''),
      ).toBe(text);
    }),
  );
});
