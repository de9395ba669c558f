import { expect, it } from 'vitest';
import { entryName } from '#main/base/entry-name.ts';

const all = (...names: string[]): string[] => {
  const taken = new Set<string>();
  return names.map((name) => entryName(name, taken));
};

it('keeps ordinary names, in any script', () => {
  const names = ['report.md', '销售额.csv', 'a b (c).tar.gz', '.env', 'naïve.txt'];
  expect(all(...names)).toEqual(names);
});

it('takes what leads elsewhere, and what a system cannot unpack, out of a name', () => {
  expect(all('..', '.', '', 'a/b', 'a\\b', 'C:x', '/etc', 'a\u0000b', 'x\u202Efdp.exe')).toEqual([
    '_',
    '_ (2)',
    '_ (3)',
    'a_b',
    'a_b (2)',
    'C_x',
    '_etc',
    'a_b (3)',
    'x_fdp.exe',
  ]);
  expect(all('CON', 'nul.txt', 'com1.tar.gz', 'console.log', 'end. . ', 'tab\there')).toEqual([
    '_CON',
    '_nul.txt',
    '_com1.tar.gz',
    'console.log',
    'end_',
    'tab_here',
  ]);
});

it('tells names apart that a system without case takes for one', () => {
  expect(all('README.md', 'readme.md', 'Readme.MD', 'ｒｅａｄｍｅ.md')).toEqual([
    'README.md',
    'readme (2).md',
    'Readme (3).MD',
    'ｒｅａｄｍｅ (4).md',
  ]);
});

it('shortens long names at a whole character, and still tells them apart', () => {
  const names = all(`${'汉'.repeat(100)}.csv`, `${'汉'.repeat(101)}.csv`, 'x'.repeat(400));
  for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(150);
  expect(new Set(names).size).toBe(3);
  expect(names.slice(0, 2).map((name) => /^汉+( \(2\))?\.csv$/.test(name))).toEqual([true, true]);
});
