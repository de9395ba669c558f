import { expect, it } from 'vitest';
import { findExcerpt, findVerbatim } from '#main/research-text/excerpts.ts';
import { pickPassages, splitPassages } from '#main/research-text/passages.ts';
import { areAlike, haveOwnWords, normaliseUrl, sketchOf } from '#main/research-text/sketch.ts';
import { isChinese, numbersOf, termsOf } from '#main/research-text/terms.ts';

it('compares words and numbers in any notation', () => {
  expect(termsOf('The plants measured 1,024.50 units; 青岚湖水质')).toEqual(
    expect.arrayContaining([...termsOf('plant measures 1024.5 unit'), '青岚', '岚湖', '水质']),
  );
  expect([...numbersOf('约25.7%，共１２,０００吨')]).toEqual(['25.7', '12000']);
  expect([isChinese('青岚湖水质 in 2022'), isChinese('What is 青岚湖?')]).toEqual([true, true]);
  expect(isChinese('What does the name 青岚湖 mean in English?')).toBe(false);
});

it('finds a quotation verbatim, else the passage it refers to, else nothing', () => {
  const text =
    'First line.\n\nThe “Norvik”  plant\nhas an output of 320\u00a0MW — more than planned. End of it.';
  const found = findVerbatim(text, "\"the 'Norvik' plant has".replaceAll("'", '"').slice(1));
  expect(found).toBe('The “Norvik”  plant\nhas');
  expect(text.includes(findExcerpt(text, 'the norvik plant has output of 320 MW') ?? '?')).toBe(
    true,
  );
  expect(findExcerpt(text, 'Penguins cannot fly over the moon')).toBeNull();
});

it('picks matching passages within the limit, verbatim from the text', () => {
  const filler = 'Nothing of interest is said here at all. '.repeat(30);
  const text = `${filler}\n\nThe dam at Vessin holds 12 cubic kilometres.\n\n${filler}`;
  const picked = pickPassages(text, 'How much does the Vessin dam hold?', 800);
  expect(picked[0]?.text).toBe('The dam at Vessin holds 12 cubic kilometres.');
  for (const { start, text: passage } of splitPassages(text)) {
    expect(text.slice(start, start + passage.length)).toBe(passage);
  }
  const endless = 'x'.repeat(5_000);
  expect(
    splitPassages(endless)
      .map((passage) => passage.text)
      .join(''),
  ).toBe(endless);
});

it('tells copies from pages on the same subject, and normalises URLs', () => {
  const page =
    'The Norvik tidal power station has an installed capacity of 320 MW from 40 turbines. Each is rated at 8 MW. Construction began in 2013 with the western lock and ended in 2019.';
  const other =
    'Norvik, the tidal power station, has 40 turbines. Its capacity of 320 MW was reached in 2019 when construction ended, six years after it began at the western lock.';
  expect([
    areAlike(sketchOf(page), sketchOf(`Mirror. ${page}`)),
    areAlike(sketchOf(page), sketchOf(other)),
  ]).toEqual([true, false]);
  expect(normaliseUrl('HTTPS://User:pw@Example.com:443/a/?utm_source=x&b=1#top')).toBe(
    'https://example.com/a?b=1',
  );
});

it('tells a page that takes over the text of another, whatever stands around it', () => {
  const release =
    'The Norvik tidal power station has an installed capacity of 320 MW from 40 turbines. Each is rated at 8 MW. Construction began in 2013 with the western lock and ended in 2019, a year later than planned.';
  const own = Array.from({ length: 60 }, (_none, at) => `Line ${at} of the paper itself.`).join(
    ' ',
  );
  const areOwn = (pages: readonly string[], ...passages: readonly [number, string][]): boolean =>
    haveOwnWords(
      passages.map(([source, text]) => ({ source, text })),
      (source) => pages[source] ?? '',
    );
  const paper = `${own} ${release} ${own}`;
  const [first = '', second = ''] = release.split(/(?<=8 MW\.) /);
  const ours =
    'Norvik has 40 turbines, say its owners, who opened it in 2019 after a long quarrel.';
  expect([
    areOwn([release, paper], [0, release], [1, paper]),
    // Each is cited for another part of what one took from the other.
    areOwn([release, paper], [0, first], [1, second]),
    areOwn([release, ours], [0, release], [1, ours]),
    // The third source took from both others, which speak for themselves.
    areOwn([release, ours, `${ours} ${release}`], [0, release], [1, ours], [2, 'So it is.']),
    areOwn([paper, release, paper], [0, release], [1, release], [2, release]),
    // One sentence may stand in two pages by chance.
    areOwn(
      ['It opened in 2019.', 'It opened in 2019.'],
      [0, 'It opened in 2019.'],
      [1, 'It opened in 2019.'],
    ),
  ]).toEqual([false, false, true, true, false, true]);
});
