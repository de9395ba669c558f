import { expect, test } from 'vitest';
import { titleOf } from '#main/run/run-title.ts';
import { mark, random } from '../../fakes/secret-kinds/generate.ts';

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

test('no task is named after a secret, also where the name is cut within one', () => {
  const key = mark('gh', 'p_') + random('alnum', 36);
  const titles = [`Use ${key} for it`, `${'word '.repeat(12)}${key}`].map(titleOf);
  expect(titles).toEqual([
    'Use [redacted: GitHub token] for it',
    expect.not.stringContaining(key.slice(0, 12)),
  ]);
});
