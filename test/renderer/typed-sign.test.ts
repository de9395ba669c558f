import { describe, expect, it } from 'vitest';
import { signBefore } from '#renderer/panels/composer/typed-sign.ts';

/** What is typed, with the caret at the bar, and what it asks for; null for nothing. */
const CASES: readonly (readonly [string, string | null])[] = [
  ['|', null],
  ['/|', '/'],
  ['@|', '@'],
  ['/mo|', '/mo'],
  ['@sales.csv|', '@sales.csv'],
  ['@scripts/tot|', '@scripts/tot'],
  ['Total @sal|', '@sal'],
  ['Total\n@sal|', '@sal'],
  ['Total\t/da|', '/da'],
  ['  /da|', '/da'],
  ['first /da|ta', null],
  ['@sal| and the rest', '@sal'],
  ['@sal|\nand the rest', '@sal'],
  // Words that only look like one.
  ['/usr/|', null],
  ['/usr/bin|', null],
  ['／usr／bin|', null],
  ['cd /usr/|bin', null],
  ['a/b|', null],
  ['and/or|', null],
  ['either / or|', null],
  ['/ |', null],
  ['@ |', null],
  ['12/31|', null],
  ['2026/11/23|', null],
  ['https://example.com|', null],
  ['//comment|', null],
  ['a@b.c|', null],
  ['mail to a@|', null],
  ['mail to first.last+tag@exam|', null],
  ['@one@two|', null],
  ['"/da|', null],
  ['(@sal|', null],
  ['/data chart|', null],
  // Chinese is written without spaces, on wide keys too.
  ['／数据|', '/数据'],
  ['＠销售|', '@销售'],
  ['请看@销售|', '@销售'],
  ['请看，@销售|', '@销售'],
  ['对比@销售|的数据', '@销售'],
  ['和/或|', null],
  // Too long to be the letters of a name.
  [`/${'a'.repeat(60)}|`, `/${'a'.repeat(60)}`],
  [`/${'a'.repeat(200)}|`, null],
  [`${'a'.repeat(200)}@|`, null],
  [`${'x '.repeat(500_000)}/da|`, '/da'],
  ['🙂@x|', null],
  ['🙂 @x|', '@x'],
];

describe('a sign that opens a list', () => {
  it.each(CASES)('%.40s', (typed, wanted) => {
    const caret = typed.indexOf('|');
    const text = typed.replace('|', '');
    const found = signBefore(text, caret);
    expect(found === null ? null : found.sign + found.query).toBe(wanted);
    if (found === null) return;
    // From the sign on, all up to the caret is what was typed.
    expect(text.slice(found.from + 1, caret)).toBe(found.query);
    expect(text.slice(found.from, found.from + 1)).toMatch(/[/@／＠]/);
  });
});
