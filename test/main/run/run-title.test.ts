import { expect, test } from 'vitest';
import { cleanTitle, titleOf } from '#main/run/run-title.ts';
import { mark, random } from '../../fakes/secret-kinds/generate.ts';

const words = 'Total the sales in this file by region and draw a chart of the ten best customers';

test.each([
  ['Short', 'Short'],
  ['\n\n  Total\tthe   sales \n and more', 'Total the sales'],
  [' \n\t', 'New task'],
  ['', 'New task'],
  [
    `${words} please, with all their names`,
    'Total the sales in this file by region and draw a chart of…',
  ],
  ['汇'.repeat(100), `${'汇'.repeat(29)}…`],
  ['👩‍🚀'.repeat(3), '👩‍🚀'.repeat(3)],
  [`${'x'.repeat(60)} ${'y'.repeat(60)}`, `${'x'.repeat(59)}…`],
  // Without Markdown.
  ['## **Fix** the `build` of [our app](https://example.com/x)', 'Fix the build of our app'],
  ['- [ ] buy milk', 'buy milk'],
  ['> quoted\nmine', 'quoted'],
  ['```py\nprint(1)\n```\nWhat does this print?', 'What does this print?'],
  ['```\nonly code\n```', 'only code'],
  ['---\nAfter a rule', 'After a rule'],
  ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
  // The first sentence where the line is too long.
  [
    'Compare the two reports. Then write down in detail what differs, and why it matters to us.',
    'Compare the two reports',
  ],
  [
    '请比较这两份报告的差异。然后详细写下不同之处，以及它们为什么对我们很重要，最后给出建议。',
    '请比较这两份报告的差异',
  ],
  // Control and invisible characters.
  ['a\u0000b\u200bc\u202ed', 'a b c d'],
])('a task of %j is called %j', (prompt, title) => expect(titleOf(prompt)).toBe(title));

test('a task is not named after a file that is attached', () => {
  expect(titleOf('sales 2026.csv\nWhat is in it?', ['sales 2026.csv'])).toBe('What is in it?');
});

test('no task is named after a secret, also where the name is cut within one', () => {
  const key = mark('gh', 'p_') + random('alnum', 36);
  const titles = [`Use ${key} for it`, `${'word '.repeat(10)}${key}`].map((one) => titleOf(one));
  expect(titles).toEqual([
    'Use [redacted: GitHub token] for it',
    expect.not.stringContaining(key.slice(0, 8)),
  ]);
});

test('a title of a model is held to the same rules', () => {
  expect(
    [
      '"Sales by region."',
      '# **Umsatz**\nnach Region',
      '《销售额》。',
      '...',
      'x'.repeat(500),
      '<b>x</b>',
    ].map(cleanTitle),
  ).toEqual([
    'Sales by region',
    'Umsatz nach Region',
    '《销售额》',
    null,
    `${'x'.repeat(59)}…`,
    '<b>x</b>',
  ]);
});
