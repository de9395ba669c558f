import { expect, it } from 'vitest';
import { checkStatement } from '#main/research-text/statements/check-statement.ts';
import { figuresOf } from '#main/research-text/statements/figures.ts';
import { sentencesOf } from '#main/research-text/statements/tokens.ts';
import { caught, countCitations, marked, total } from '../../../scripts/corpus-citations/count.ts';
import { readCitationCases } from '../../fakes/citation-cases.ts';

const LAKE =
  'Lake Vessin is 143 metres deep and holds 2.5 million tonnes of water. The lake was dammed in 1961. A mayor denied that the dam leaks, and engineers claim that it may last for 200 years.';
const verdict = (statement: string, ...sources: string[]): string =>
  checkStatement(statement, sources).verdict;

it.each([
  ['Lake Vessin is 143 metres deep.', 'supported'],
  ['Lake Vessin is one hundred and forty-three metres deep.', 'supported'],
  ['Lake Vessin is 0.143 km deep.', 'supported'],
  ['The lake was dammed in 1961.', 'supported'],
  ['Lake Vessin is not 143 metres deep.', 'unsupported'],
  ['Lake Vessin is 150 metres deep.', 'unsupported'],
  ['Lake Vessin is one hundred and fifty metres deep.', 'unsupported'],
  ['Lake Vessin is 143 feet deep.', 'unsupported'],
  ['Lake Vessin holds 2.5 billion tonnes of water.', 'unsupported'],
  ['Lake Vessin was dammed in 1961 and is 150 metres deep.', 'unsupported'],
  ['A mayor denied that the dam leaks.', 'supported'],
])('decides by figures, units, negation and subject: %s', (statement, expected) => {
  expect(verdict(statement, LAKE)).toBe(expected);
});

it.each([
  'Lake Halden is 143 metres deep.',
  'Lake Vessin may be 143 metres deep.',
  'The dam leaks.',
  'A mayor admitted that the dam leaks.',
  'The dam will last for 200 years.',
  'Lake Vessin is 143 metres deep and every lake holds 2.5 million tonnes of water.',
  'Engineers are sure.',
])('does not take as supported: %s', (statement) => {
  expect(verdict(statement, LAKE)).not.toBe('supported');
});

it.each([
  ['青岚湖最深处达一百四十三米。', 'supported'],
  ['青岚湖的最大水深不是143米。', 'unsupported'],
  ['青岚湖的最大水深为134米。', 'unsupported'],
  ['青岚湖的最大水深为143公里。', 'unsupported'],
])('reads Chinese: %s', (statement, expected) => {
  expect(verdict(statement, '青岚湖的最大水深为143米，面积约为212平方公里。')).toBe(expected);
});

const TWINS =
  'Voyager 1 was launched on September 5, 1977, sixteen days after its twin, Voyager 2. World War II ended in 1945 and cost over fifty million lives; World War I had ended in 1918. The Model S has a range of 405 miles, and outsold Model 3 once.';

it.each([
  ['Voyager 1 was launched on September 5, 1977.', 'supported'],
  ['Voyager 2 was launched on September 5, 1977.', 'unsupported'],
  ['Voyager 2 was launched sixteen days before Voyager 1.', 'supported'],
  ['World War II cost over fifty million lives.', 'supported'],
  ['World War I cost over fifty million lives.', 'unsupported'],
  ['The war cost over fifty million lives.', 'supported'],
  ['The Model S has a range of 405 miles.', 'supported'],
  ['The Model 3 has a range of 405 miles.', 'unsupported'],
])('tells names apart by their numbers and letters: %s', (statement, expected) => {
  expect(verdict(statement, TWINS)).toBe(expected);
});

it('leaves what is in another language open, but not its figures', () => {
  expect([
    verdict('维辛湖深143米。', LAKE),
    verdict('维辛湖深150米。', LAKE),
    verdict('The lake is 143 metres deep.', '青岚湖的最大水深为143米。'),
  ]).toEqual(['open', 'unsupported', 'open']);
});

it('lets sources support a statement together, each a part of it', () => {
  const statement = 'Norvik has an installed capacity of 320 MW and opened in 2019.';
  expect(
    checkStatement(statement, [
      'The Norvik station has an installed capacity of 320 MW from 40 turbines.',
      'The Norvik station was opened in 2019.',
      'Tomatoes grow in 2019 too.',
    ]),
  ).toEqual({ verdict: 'supported', reason: '', bySource: [true, true, false] });
  expect(checkStatement(statement, [])).toMatchObject({ verdict: 'unsupported', bySource: [] });
});

it.each([
  ['two-thirds of 1,650 megawatts', ['share 0.67', 'power 1650000000.00']],
  ['11 hours and 55 minutes', ['time 42900.00']],
  [
    'minus 179 °C on the 29th of August 2005',
    ['temperature 94.15', 'day 29.00', 'month 8.00', 'year 2005.00'],
  ],
  ['from 7.9 to 6.1 percent', ['share 0.08', 'share 0.06']],
  ['$1.2bn, three hundred and thirty', ['money usd 1200000000.00', 'count 330.00']],
  ['三亿两千万元，百分之十五，三成', ['money cny 320000000.00', 'share 0.15', 'share 0.30']],
  ['twenty-one and a half hours at 5:20', ['time 77400.00', 'clock 320.00']],
])('reads figures with their units: %s', (text, expected) => {
  const figures = sentencesOf(text).flatMap(figuresOf);
  expect(figures.map(({ dimension, value }) => `${dimension} ${value.toFixed(2)}`)).toEqual(
    expected,
  );
});

it.each(['development', 'held-out'])(
  'catches altered statements of the set %s, and marks few true ones',
  (name) => {
    const count = countCitations(readCitationCases(`test/fixtures/citations/${name}.jsonl`));
    expect(total(count.altered)).toBeGreaterThan(100);
    expect(caught(count)).toBeGreaterThanOrEqual(0.95);
    expect(marked(count)).toBeLessThanOrEqual(0.05);
    // Words cannot compare two languages.
    expect([count.cross.altered.supported, count.cross.true.supported]).toEqual([0, 0]);
  },
);
