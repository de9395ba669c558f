import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChartType, Slide, SlideLayout } from '#contract/slides.ts';
import {
  dataWish,
  describeGiven,
  type GivenSlide,
  numberOf,
  readGivenSlide,
} from '#main/slides/given/given-slide.ts';
import { readNumber } from '#main/slides/given/read-number.ts';
import { READ } from './given-cases.ts';
import { READ_DATA } from './given-data-cases.ts';
import { MORE } from './more-given-cases.ts';
import { REFUSED } from './refused-cases.ts';

it.each([...READ, ...READ_DATA])('reads %s', (_what, given, meant) => {
  expect(readGivenSlide(given, 2)).toEqual(Slide.parse(meant));
});

it.each(REFUSED)('says what is wrong: %s', (_what, given, problem) => {
  expect(readGivenSlide(given, 2)).toEqual({ problem });
});

it.each(MORE)('reads or refuses %s', (_what, given, meant) => {
  const read = readGivenSlide(given, 2);
  if (meant instanceof RegExp) expect(read).toEqual({ problem: expect.stringMatching(meant) });
  else expect(read).toEqual(Slide.parse(meant));
});

/** Texts without marks that a reader would take away. */
const words = fc
  .array(
    fc.constantFrom('Sales', '增长', '12%', 'a–b', 'x_y', '(2024)', 'and', 'été', '📈', '3.5'),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((parts) => `A ${parts.join(' ')}`);
const maybe = fc.oneof(fc.constant(''), words);
const list = fc.array(words, { minLength: 1, maxLength: 5 });
const picture = fc.record({ path: fc.constantFrom('a.png', 'img/b c.jpg', '图.png'), alt: maybe });
const common = { title: words, notes: maybe, sources: fc.array(words, { maxLength: 2 }) };
const steps = fc.array(fc.record({ name: words, text: maybe }), { minLength: 1, maxLength: 4 });
const column = fc.record({ heading: words, items: list });
const chart = fc.integer({ min: 1, max: 5 }).chain((size) => {
  const values = fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), {
    minLength: size,
    maxLength: size,
  });
  const all = { minLength: size, maxLength: size };
  return fc.record({
    type: fc.constantFrom(...ChartType.options.filter((type) => type !== 'scatter')),
    categories: fc.array(words, all),
    series: fc.array(fc.record({ name: words, values }), { minLength: 1, maxLength: 3 }),
    ...{ xTitle: maybe, yTitle: maybe, unit: maybe },
  });
});
const table = fc.integer({ min: 1, max: 4 }).chain((size) => {
  const row = fc.array(maybe, { minLength: size, maxLength: size });
  const columns = fc.uniqueArray(words, { minLength: size, maxLength: size });
  const rows = fc.array(
    row.filter((cells) => cells.join('') !== ''),
    { minLength: 1, maxLength: 4 },
  );
  return fc.record({ columns, rows });
});
const SLOTS: Readonly<Record<SlideLayout, fc.Arbitrary<object>>> = {
  title: fc.record({ subtitle: maybe }),
  agenda: fc.record({ items: list }),
  section: fc.record({ text: maybe }),
  bullets: fc.record({ items: list }),
  two_columns: fc.record({ left: list, right: list }),
  comparison: fc.record({ left: column, right: column }),
  quote: fc.record({ text: words, by: maybe }),
  big_number: fc.record({
    numbers: fc.array(fc.record({ value: words, label: words }), { minLength: 1, maxLength: 4 }),
    text: maybe,
  }),
  timeline: fc.record({ steps }),
  process: fc.record({ steps }),
  table,
  chart: fc.record({ chart, text: maybe }),
  image_text: fc.record({ picture, items: fc.array(words, { maxLength: 3 }) }),
  team: fc.record({
    people: fc.array(fc.record({ name: words, role: maybe, picture: fc.option(picture) }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  closing: fc.record({ text: maybe }),
};
const typed = fc
  .constantFrom(...SlideLayout.options)
  .chain((layout) =>
    fc
      .tuple(fc.record(common), SLOTS[layout])
      .map(([base, slots]) => Slide.parse({ layout, ...base, ...slots })),
  );

describe('the flat form of a slide', () => {
  it('is the same slide when it is read again', () => {
    fc.assert(
      fc.property(typed, (slide) => {
        expect(readGivenSlide(describeGiven(slide), 0)).toEqual(slide);
      }),
      { numRuns: 400 },
    );
  });

  it('has no empty slots', () => {
    const slide = Slide.parse({ layout: 'team', title: 'A', people: [{ name: 'Ann' }] });
    const flat: GivenSlide = { layout: 'team', title: 'A', people: [{ name: 'Ann' }] };
    expect(describeGiven(slide)).toEqual(flat);
  });
});

const loose = fc.oneof(
  words,
  fc.string({ maxLength: 20, unit: 'binary' }),
  fc.constantFrom(
    '- a\n- b',
    '1. x\n2. y',
    '**b**',
    '| a | b |\n|--|--|\n| 1 | 2 |',
    '',
    '***x***',
  ),
  fc.constantFrom(null, 0, -1.5, true, 'a.csv', '[1, 2]', '{"a": [1]}', '1. 1. a'),
);
const tree = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, loose, tie('list'), tie('record')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  record: fc.dictionary(
    fc.constantFrom('title', 'text', 'name', 'value', 'label', 'values', 'items', 'x', 'y', 'data'),
    tie('value'),
    { maxKeys: 4 },
  ),
})).value;
const NAMES = [
  ...['title', 'subtitle', 'text', 'items', 'left', 'right', 'left_title', 'right_title', 'by'],
  ...['numbers', 'steps', 'columns', 'rows', 'chart', 'file', 'image', 'alt', 'people', 'notes'],
  ...['sources', 'content', 'body', 'series', 'categories', 'type', '__proto__', 'constructor'],
];
const given = fc
  .tuple(
    fc.constantFrom(...SlideLayout.options, 'twoColumns', 'pie chart', 'x'),
    fc.dictionary(fc.constantFrom(...NAMES), tree, { maxKeys: 6 }),
  )
  .map(([layout, slots]) => ({ layout, title: 'A', ...slots }));

it('whatever is given, a slide that is read fits the contract and is read the same again', () => {
  let read = 0;
  fc.assert(
    fc.property(given, (one) => {
      dataWish(one);
      numberOf(one);
      const slide = readGivenSlide(one, 0);
      if ('problem' in slide) {
        expect(slide.problem).toMatch(/^Slide 1/);
        return;
      }
      read += 1;
      expect(Slide.parse(slide)).toEqual(slide);
      expect(readGivenSlide(describeGiven(slide), 0)).toEqual(slide);
    }),
    { numRuns: 3_000 },
  );
  // Most of what is read at random has too little in it.
  expect(read).toBeGreaterThan(100);
});

it('reads long texts of marks without a stall', () => {
  const before = process.cpuUsage().user;
  for (const mark of ['*', '**', '`', '- ', '[', '](', '1. ', '#', '|', '\n- ', '[a](http://']) {
    const text = mark.repeat(20_000 / mark.length);
    for (const layout of SlideLayout.options) {
      const slots = Object.fromEntries(NAMES.map((name) => [name, text]));
      readGivenSlide({ ...slots, layout, title: text }, 0);
    }
  }
  expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(10);
});

describe('the number of a slide', () => {
  it.each([
    [{ number: 3 }, 3],
    [{ slide_number: '12' }, 12],
    [{ number: 'x' }, null],
    [{ number: 0 }, null],
    [{ number: '87%' }, null],
    [{}, null],
    ['x', null],
  ])('of %j is %s', (one, number) => {
    expect(numberOf(one)).toBe(number);
  });
});

describe('numbers as people write them', () => {
  it.each([
    ...[
      [12, 12],
      ['1,234.5', 1234.5],
      ['12 %', 12],
      ['12%', 12],
      ['€ 5', 5],
      ['-$3', -3],
    ],
    ...[
      ['−5', -5],
      ['+5', 5],
      ['1 234', 1234],
      ['12,34,567', 1234567],
      ['.5', 0.5],
    ],
    ...[
      ['1e3', 1000],
      ['１２', 12],
      ['', null],
      ['n/a', null],
      ['–', null],
      [null, null],
    ],
    ...[
      ['12,3', undefined],
      ['1.2.3', undefined],
      ['5M', undefined],
      ['about 5', undefined],
    ],
    ...[
      ['1,23', undefined],
      [true, undefined],
      [Number.NaN, undefined],
      ['0x10', undefined],
    ],
  ] as const)('%j is %s', (text, number) => {
    expect(readNumber(text)).toBe(number);
  });
});
