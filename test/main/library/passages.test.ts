import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutPassages, overlapOf } from '#main/library/passages.ts';
import { indexedWords, wordQuery } from '#main/library/words.ts';

describe('passages', () => {
  test('joined they are the text, none is too long, no character is cut', () => {
    const piece = fc.constantFrom(
      'word ',
      'a sentence. ',
      '一句话。',
      '\n',
      '\n\n',
      '𠀀'.repeat(40),
      'x'.repeat(700),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 300 }), (pieces) => {
        const text = pieces.join('');
        const passages = [...cutPassages(text)];
        expect(passages.join('')).toBe(text);
        for (const passage of passages) {
          expect(passage.length).toBeLessThanOrEqual(1300);
          expect(passage.isWellFormed()).toBe(true);
          expect(overlapOf(passage).isWellFormed()).toBe(true);
        }
      }),
    );
  });

  test('end where a paragraph does', () => {
    const paragraph = `${'A plain sentence of some words. '.repeat(12).trim()}\n\n`;
    const passages = [...cutPassages(paragraph.repeat(9))];
    expect(passages.length).toBeGreaterThan(3);
    for (const passage of passages) expect(passage.endsWith('words.\n\n')).toBe(true);
  });
});

test.each([
  [
    'plain words, without those that say nothing',
    'What is the cost of the Crane?',
    '"cost" OR "crane"',
  ],
  ['nothing but such words', 'who are you', '"who" OR "are" OR "you"'],
  ['a run of Chinese as pairs', '年度预算', '"年度" OR "度预" OR "预算"'],
  ['one character', '茶', '"茶"*'],
  ['both', 'GPU 显存 24GB', '"gpu" OR "24gb" OR "显存"'],
  ['wide letters', 'ＧＰＵ', '"gpu"'],
  ['operators', 'a* OR "b" NEAR(c) -d', '"b" OR "near" OR "c" OR "d"'],
  ['nothing', ' ?! ', null],
])('the query of %s', (_what, text, query) => {
  expect(wordQuery(text)).toBe(query);
});

test('the words of a text', () => {
  expect(indexedWords('在龙潭 the mill')).toBe(' 在龙 龙潭 潭  the mill');
});
