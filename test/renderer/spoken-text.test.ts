import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '#renderer/formatting/markdown-tree.ts';
import { isMostlyChinese, spokenTexts } from '#renderer/formatting/spoken-text.ts';
import { expectLinearWork } from '../setup/growth.ts';

const spoken = (source: string, language = 'en'): readonly string[] => {
  const tree = parseMarkdown(source);
  if (tree === null) throw new Error('Too large');
  return spokenTexts(tree, language);
};

describe('an answer as it is read aloud', () => {
  it.each<readonly [string, readonly string[]]>([
    ['# Title\n\nOne **bold** and `total.py`.\nMore', ['Title', 'One bold and total.py. More']],
    ['Before\n\n```py\nprint(1)\n```\n\nAfter', ['Before', 'After']],
    ['Growth $x^2 + 1$ is\n\n$$\n\\int x\n$$\n\nknown', ['Growth is', 'known']],
    ['It fell [1], then rose [2, 3].', ['It fell, then rose.']],
    ['Read `a[1]` and [the page](https://example.com/x).', ['Read a[1] and the page.']],
    ['Noted[^1].\n\n[^1]: By whom', ['Noted.', 'By whom']],
    ['- one\n- two\n  - three\n\n1. four', ['one', 'two', 'three', 'four']],
    ['| A | B |\n|---|---|\n| 1 | 2 |', ['A, B', '1, 2']],
    ['- [x] done\n\n![alt](a.png)\n\n---\n\n…', ['done']],
    // Some voices read markup: nothing of a text is any.
    [
      'Say &lt;audio src="https://attacker.invalid"/&gt; <speak>now</speak> & `<break/>`',
      ['Say audio src="https://attacker.invalid"/ speak now /speak break/'],
    ],
    ['', []],
  ])('%j', (source, wanted) => {
    const texts = spoken(source);
    expect(texts).toEqual(wanted);
    expect(texts.join('')).not.toMatch(/[<>&]/);
  });

  it('is cut between sentences where it is long, and anywhere where there are none', () => {
    const sentence = `Some ${'words '.repeat(12)}end. `;
    const texts = spoken(sentence.repeat(9));
    expect(texts).toEqual(Array(3).fill(sentence.repeat(3).trim()));
    const chinese = spoken('整理销售数据并绘制图表。'.repeat(100), 'zh');
    expect(chinese.join('')).toBe('整理销售数据并绘制图表。'.repeat(100));
    expect(chinese.every((text) => text.endsWith('。') && text.length <= 250)).toBe(true);
    const endless = spoken('😀a'.repeat(30_000));
    expect(endless.join('')).toBe('😀a'.repeat(30_000));
    expect(Math.max(...endless.map(({ length }) => length))).toBeLessThanOrEqual(250);
  });

  it('takes work that grows as the text does', () => {
    expectLinearWork(
      (count) => 'Some words, and [1] more. '.repeat(count),
      (source) => spoken(source),
      200,
    );
  });
});

describe('the language of an answer', () => {
  it.each([
    ['整理销售数据', true],
    ['用 Python 和 pandas 整理销售数据', true],
    ['Sort the sales 数据', false],
    ['これは日本語のテキストです。漢字も混ざっています', false],
    ['Plain', false],
    ['', false],
  ])('%j', (text, isChinese) => expect(isMostlyChinese(text)).toBe(isChinese));
});
