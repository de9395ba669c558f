import { getDocumentProxy } from 'unpdf';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Deck, Slide } from '#contract/slides.ts';
import { checkDeck } from '#main/slides/check-deck.ts';
import { loadSlideFonts, type SlideFonts } from '#main/slides/fonts.ts';
import { layOutDeck, textsIn } from '#main/slides/lay-out-deck.ts';
import { checkPackage } from '#main/slides/pptx/check-package.ts';
import { writePptx } from '#main/slides/pptx/write-pptx.ts';
import type { Element, LaidOutDeck } from '#main/slides/types.ts';
import { findOffice, pdfOfOffice } from '../../fakes/slides/in-office.ts';
import { blindDecks, DECK_PICTURES, readDeck } from '../../fakes/slides/read-decks.ts';
import { sample } from '../../setup/sampling.ts';

const decks = blindDecks();
let fonts: SlideFonts;
beforeAll(async () => {
  fonts = await loadSlideFonts();
});

const layOut = (deck: Deck): LaidOutDeck => layOutDeck(deck, DECK_PICTURES, fonts);
const check = (deck: Deck) => checkDeck(deck, layOut(deck), { pictures: DECK_PICTURES, fonts });

/** What an element says. */
function saidBy(element: Element): string[] {
  switch (element.kind) {
    case 'text':
      return element.paragraphs.map(({ text }) => text);
    case 'table':
      return element.rows.flatMap(({ cells }) => cells.map(({ text }) => text));
    case 'chart':
      return textsIn({ ...element.chart, values: [] });
    case 'picture':
      return [element.alt];
    case 'shape':
      return [];
  }
}

function lettersOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const letter of texts.join('').replace(/\s/gu, '')) {
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  return counts;
}

test('there are 40 decks, five of them hostile', () => {
  expect(decks).toHaveLength(40);
  expect(decks.filter(({ isHostile }) => isHostile)).toHaveLength(5);
});

describe('a deck that a model would send', () => {
  test.for(decks)('$name: every letter is on a page or in the notes', (given) => {
    const { deck, problems } = readDeck(given);
    if (!given.isHostile) expect(problems).toEqual([]);
    const { pages } = layOut(deck);
    for (const [index, slide] of deck.slides.entries()) {
      const own = pages.filter((page) => page.slide === index);
      const said = own.flatMap(({ elements, notes }) => [...elements.flatMap(saidBy), notes]);
      const shown = lettersOf(said);
      const lost = [...lettersOf(textsIn(withoutAlt(slide)))].filter(
        ([letter, count]) => (shown.get(letter) ?? 0) < count,
      );
      expect(lost, `slide ${index + 1}`).toEqual([]);
    }
  });

  test.for(decks.filter(({ isHostile }) => !isHostile))(
    '$name: nothing overflows, overlaps, is faint or too small',
    (given) => {
      const { deck } = readDeck(given);
      // What is said of the words themselves is the model's: too many, or a title twice.
      const codes = check(deck).map(({ code }) => code);
      expect(codes.filter((code) => code !== 'too_much_text')).toEqual([]);
    },
  );

  test.for(decks)('$name: a model that answers its findings ends with none', (given) => {
    const { deck } = readDeck(given);
    const found = check(deck);
    const slides = deck.slides.map((slide, index): Slide => {
      if (!found.some((finding) => finding.slide === index)) return slide;
      const { notes, sources } = slide;
      const title = `What to know, part ${index + 1}`;
      return { layout: 'bullets', title, notes, sources, items: ['First', 'Second', 'Third'] };
    });
    expect(check({ ...deck, slides })).toEqual([]);
  });

  test.for(sample(decks, { name: 'decks as files', size: 8 }))(
    '$name: PowerPoint has nothing to repair in its file',
    async (given) => {
      const { deck } = readDeck(given);
      const laidOut = layOut(deck);
      const bytes = await writePptx(laidOut, DECK_PICTURES);
      expect(await checkPackage(bytes)).toEqual([]);
    },
  );

  const office = findOffice();
  test.skipIf(office === null).for(sample(decks, { name: 'decks in LibreOffice', size: 2 }))(
    '$name: LibreOffice opens its file, with as many pages',
    async (given) => {
      const laidOut = layOut(readDeck(given).deck);
      const pdf = pdfOfOffice(office ?? '', await writePptx(laidOut, DECK_PICTURES));
      const { numPages, loadingTask } = await getDocumentProxy(new Uint8Array(pdf));
      await loadingTask.destroy();
      expect(numPages).toBe(laidOut.pages.length);
    },
  );
});

test('the words of others are no numbers of pages: a deck of 60 slides without end stays bounded', () => {
  const items = Array.from({ length: 200 }, () => 'word '.repeat(799));
  const { pages } = layOut({
    ...{ title: 'Long', theme: 'plain' },
    slides: [{ layout: 'bullets', title: 'Long', notes: '', sources: [], items }],
  });
  expect(pages).toHaveLength(40);
  // What has no page is in the notes of the last.
  expect(pages.at(-1)?.notes.length).toBeGreaterThan(100_000);
});

/** Of a picture that is there, the alternative text is not on the page, and so are the names of layouts. */
function withoutAlt(slide: Slide): unknown {
  if (slide.layout !== 'image_text') return slide;
  return { ...slide, picture: null };
}
