import { expect, test } from 'vitest';
import { titleOf } from '#main/run/run-title.ts';

test('a task is named after the first line that says something', () => {
  const words = 'Total the sales in this file by region and draw a chart of the ten best customers';
  expect(
    [
      'Short',
      '\n\n  Total\tthe   sales \n and more',
      ' \n\t',
      `${words} please, with all their names`,
      '汇'.repeat(100),
      '👩‍🚀'.repeat(3),
      `${'x'.repeat(60)} ${'y'.repeat(60)}`,
    ].map(titleOf),
  ).toEqual([
    'Short',
    'Total the sales',
    'New task',
    'Total the sales in this file by region and draw a chart of the ten best…',
    `${'汇'.repeat(79)}…`,
    '👩‍🚀'.repeat(3),
    `${'x'.repeat(60)}…`,
  ]);
});
