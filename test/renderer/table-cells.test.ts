import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareCells, sortedBy, toCsv } from '../../src-renderer/formatting/table-cells.ts';

it.each([
  ['9', '10'],
  ['-5', '3'],
  ['$90', '$1,200.50'],
  ['9 %', '12.5%'],
  ['2 kB', '10 kB'],
  ['1', 'one'],
  ['file 2', 'file 10'],
])('%s comes before %s', (a, b) => {
  expect(Math.sign(compareCells(a, b))).toBe(-1);
  expect(Math.sign(compareCells(b, a))).toBe(1);
});

it('keeps every row, and puts empty cells last in both directions', () => {
  const rows = ['', 'b', 'a', ''];
  const cells = rows.map((cell) => [cell]);
  expect(sortedBy(rows, cells, { column: 0, descending: false })).toEqual(['a', 'b', '', '']);
  expect(sortedBy(rows, cells, { column: 0, descending: true })).toEqual(['b', 'a', '', '']);
  fc.assert(
    fc.property(fc.array(fc.string()), fc.boolean(), (all, descending) => {
      const sorted = sortedBy(
        all,
        all.map((cell) => [cell]),
        { column: 0, descending },
      );
      expect(sorted.toSorted()).toEqual(all.toSorted());
    }),
  );
});

it('marks formulas as text, but not numbers', () => {
  expect(toCsv([['=1+1', '-5', '+49 30 1', '@x', 'a"b', 'c,d', 'e\nf']])).toBe(
    `'=1+1,-5,+49 30 1,'@x,"a""b","c,d","e\nf"\r\n`,
  );
});

it('takes no longer for hostile cells', () => {
  for (const cell of ['9'.repeat(100_000), `$${'1,'.repeat(50_000)}`, ' '.repeat(100_000)]) {
    compareCells(cell, '1');
  }
});
