import { describe, expect, it } from 'vitest';
import { beginsWords } from '#renderer/store/word-starts.ts';

const CASES: readonly (readonly [query: string, text: string, one: boolean, several: boolean])[] = [
  ['week', 'Weekly report', true, true],
  ['rep', 'Weekly report', true, true],
  ['weekrep', 'Weekly report', false, true],
  ['wr', 'Weekly report', false, true],
  ['rw', 'Weekly report', false, false],
  ['ekly', 'Weekly report', false, false],
  ['wkly', 'Weekly report', false, false],
  // The first `a` begins no word that goes on so.
  ['aab', 'ab aab', true, true],
  ['aab', 'aa ab', false, true],
  ['tot', 'scripts/total.py', true, true],
  ['scripts/tot', 'src/scripts/total.py', true, true],
  ['s/t', 'src/total.py', false, true],
  ['csv', 'sales.csv', true, true],
  ['case', 'camelCase', true, true],
  ['2', 'v2', true, true],
  ['ales', 'sales.csv', false, false],
  ['销售', '整理销售数据', true, true],
  ['销图', '整理销售数据并绘制图表', false, true],
  ['图销', '整理销售数据并绘制图表', false, false],
  ['album', '2 album相册', true, true],
  ['zur', 'Müller in Zürich', true, true],
  ['ＷＥ', 'weekly', true, true],
  ['😀', 'a 😀', true, true],
  ['a', '', false, false],
];

describe('words that begin with what is typed', () => {
  it.each(CASES)('%s in %s', (query, text, one, several) => {
    expect([beginsWords(text, query, false), beginsWords(text, query, true)]).toEqual([
      one,
      several,
    ]);
  });
});
