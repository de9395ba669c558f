import type { Deck, Slide, SlideFinding, SlideFindingCode } from '#contract/slides.ts';
import { heightOf } from './fit-text.ts';
import type { SlideFonts } from './fonts.ts';
import { textsIn } from './lay-out-deck.ts';
import { contrast } from './themes.ts';
import {
  type Box,
  type Color,
  type DeckPictures,
  type Element,
  type LaidOutDeck,
  PAGE,
  type Page,
  type TextStyle,
} from './types.ts';

/** Points by which lines may go past their box: rounding. */
const SLACK = 1;
/** WCAG 2.2 AA, and what counts there as large text, in points. */
const CONTRAST = { normal: 4.5, large: 3, largeSize: 18, largeBold: 14 } as const;
const SMALLEST = { label: 10, other: 11 } as const;
/** Pages of one slide: more is a text, not a slide. */
const MOST_PAGES = 3;
/** On a page; a Chinese, Japanese or Korean letter counts as half a word. */
const MOST_WORDS = 150;
const MOST_TITLE_WORDS = 20;
/** Pixels to a point where a picture begins to look blurred: 96 dots per inch, less what nobody sees. */
const LEAST_PIXELS = 0.9;
/** By how much a picture may be wider or higher than its own proportions: rounding to pixels. */
const MOST_STRETCH = 1.02;
const PLACEHOLDER =
  /\[(?:insert|your|add|placeholder|name|date|company|title)\b[^\]]*\]|\b(?:insert|your|sample|placeholder) text\b|click to add|<(?:insert|your)\b|待补充|此处(?:填写|插入|添加)|在此输入|占位|lorem ipsum/i;
/** Written in capitals: “to do” is an ordinary word. */
const MARK = /\b(?:TODO|TBD|FIXME|X{3,})\b/;
/** Also what looks empty: zero-width and filler letters. */
const VISIBLE = /[^\s\p{Cf}\p{Cc}\p{M}\u{115f}\u{1160}\u{2800}\u{3164}\u{ffa0}]/u;

interface Tools {
  readonly pictures: DeckPictures;
  readonly fonts: SlideFonts;
}

/**
 * What somebody who looks at the pages would find, measured on the pages as they are drawn, and not by how they were
 * made. In the order of the slides; of one kind only one for each slide.
 */
export function checkDeck(deck: Deck, laidOut: LaidOutDeck, tools: Tools): SlideFinding[] {
  const found: SlideFinding[] = [];
  const titles = new Map<string, number>();
  for (const [index, slide] of deck.slides.entries()) {
    const pages = laidOut.pages.filter((page) => page.slide === index);
    const add = (code: SlideFindingCode, text: string): void => {
      if (found.some((one) => one.slide === index && one.code === code)) return;
      found.push({ slide: index, code, text });
    };
    checkTexts(slide, pages, add, titles, index);
    checkSlots(slide, add, tools);
    for (const page of pages) checkPage(page, add, tools);
  }
  return found;
}

type Add = (code: SlideFindingCode, text: string) => void;

function checkTexts(
  slide: Slide,
  pages: readonly Page[],
  add: Add,
  titles: Map<string, number>,
  index: number,
): void {
  const texts = textsIn(withoutNotes(slide));
  const key = slide.title
    .toLowerCase()
    .replace(/[\s\p{P}\p{Cf}]+/gu, ' ')
    .trim();
  const before = titles.get(key);
  if (before === undefined) titles.set(key, index);
  else add('same_title', `It has the same title as slide ${before + 1}. Say what this slide adds.`);
  if (!VISIBLE.test(slide.title)) add('empty', 'Its title is empty.');
  if (countWords(slide.title) > MOST_TITLE_WORDS) {
    add('too_much_text', `Its title has over ${MOST_TITLE_WORDS} words. Say it in fewer.`);
  }
  const blank = texts.find((text) => !VISIBLE.test(text));
  if (blank !== undefined) add('empty', 'One of its texts is blank.');
  const placeholder = texts
    .map((text) => (PLACEHOLDER.exec(text) ?? MARK.exec(text))?.[0])
    .find((one) => one !== undefined);
  if (placeholder !== undefined) {
    add(
      'placeholder',
      `“${placeholder}” is a placeholder. Write what belongs there, or leave it out.`,
    );
  }
  if (pages.length > MOST_PAGES) {
    add(
      'too_much_text',
      `It takes ${pages.length} pages. Shorten it, or split it into several slides.`,
    );
  }
  for (const page of pages) {
    const words = wordsOf(page);
    if (words > MOST_WORDS) {
      add(
        'too_much_text',
        `It has about ${words} words on a page; ${MOST_WORDS} are the most. Shorten it.`,
      );
    }
  }
}

function checkSlots(slide: Slide, add: Add, { pictures, fonts }: Tools): void {
  const unknown = [...new Set(textsIn(withoutNotes(slide)).join(''))].filter(
    (letter) => !/\p{Cc}/u.test(letter) && !fonts.has(letter),
  );
  if (unknown.length > 0) {
    const shown = unknown.slice(0, 5).join(' ');
    add('no_glyph', `No font here has ${shown}: the preview shows a box, PowerPoint may not.`);
  }
  if (slide.layout === 'bullets' && slide.items.length === 1) {
    add('lone_bullet', 'A list of one entry is no list. Add entries, or choose another layout.');
  }
  if (slide.layout === 'comparison') {
    const items = [slide.left.items.length, slide.right.items.length];
    if (Math.max(...items) > 3 * Math.min(...items)) {
      add('empty', 'One side of the comparison has hardly anything. Balance the sides.');
    }
  }
  if (slide.layout === 'image_text') {
    const picture = pictures.get(slide.picture.path);
    if (picture === undefined) {
      add('picture_missing', `The picture ${slide.picture.path} is missing or cannot be read.`);
    }
    if (!VISIBLE.test(slide.picture.alt)) {
      add('no_alt', 'Its picture has no alternative text. Say in alt what it shows.');
    }
  }
  if (slide.layout === 'team') {
    const missing = slide.people.find(
      ({ picture }) => picture !== null && !pictures.has(picture.path),
    );
    if (missing !== undefined)
      add('picture_missing', `The picture of ${missing.name} is missing or cannot be read.`);
  }
  if (slide.layout === 'chart') checkChart(slide, add);
}

function checkChart({ chart }: Extract<Slide, { layout: 'chart' }>, add: Add): void {
  const { type, categories, series, xTitle, yTitle, unit } = chart;
  const isRound = type === 'pie' || type === 'doughnut';
  const values = series.flatMap((one) => one.values);
  const numbers = values.filter((value) => value !== null);
  if (numbers.length === 0) add('chart_data', 'Its chart has no values.');
  if (series.some((one) => one.values.length !== categories.length)) {
    add('chart_data', 'A series of its chart does not have one value for each category.');
  }
  if (isRound && (series.length > 1 || numbers.some((value) => value < 0))) {
    add(
      'chart_data',
      `A ${type} chart shows parts of one whole: one series, and no negative values.`,
    );
  }
  if (isRound && numbers.reduce((sum, value) => sum + value, 0) === 0 && numbers.length > 0) {
    add('chart_data', `All values of its ${type} chart are 0.`);
  }
  if (isRound && categories.length > 8) {
    add(
      'chart_data',
      `A ${type} chart of ${categories.length} parts cannot be read. Take a bar chart.`,
    );
  }
  if ((type === 'line' || type === 'area') && categories.length < 2) {
    add('chart_data', `A ${type} chart needs at least two points. Take a large number instead.`);
  }
  if (
    type === 'scatter' &&
    categories.some((one) => !Number.isFinite(Number(one)) || one.trim() === '')
  ) {
    add('chart_data', 'The categories of a scatter chart are numbers.');
  }
  if (numbers.some((value) => Math.abs(value) > 1e15)) {
    add(
      'chart_data',
      'Its chart has values beyond any scale. Check the numbers, or take a larger unit.',
    );
  }
  if (series.length > 1 && series.some(({ name }) => !VISIBLE.test(name))) {
    add('chart_axis', 'A series of its chart has no name.');
  }
  if (!isRound && !VISIBLE.test(`${yTitle}${unit}`)) {
    add('chart_axis', 'Its value axis does not say what it counts. Give y_title or unit.');
  }
  if (type === 'scatter' && !VISIBLE.test(xTitle)) {
    add('chart_axis', 'Its horizontal axis does not say what it counts. Give x_title.');
  }
}

function checkPage(page: Page, add: Add, { pictures, fonts }: Tools): void {
  const { size = PAGE } = page;
  const content = page.elements.filter((element) => element.kind !== 'shape');
  for (const element of content) {
    const { x, y, width, height } = element.box;
    const isOutside =
      x < -SLACK ||
      y < -SLACK ||
      x + width > size.width + SLACK ||
      y + height > size.height + SLACK;
    if (isOutside) add('overflow', 'Something lies outside the page.');
    checkFit(element, add, fonts);
    checkReading(element, add);
    if (element.kind !== 'picture') continue;
    const picture = pictures.get(element.path);
    if (picture === undefined) continue;
    const stretch = width / height / (picture.width / picture.height);
    if (stretch > MOST_STRETCH || stretch < 1 / MOST_STRETCH) {
      add('picture_stretched', `The picture ${element.path} is not shown in its own proportions.`);
    }
    if (picture.width < width * LEAST_PIXELS) {
      const needed = Math.ceil(width * LEAST_PIXELS);
      add(
        'picture_blurred',
        `The picture ${element.path} is ${picture.width} pixels wide and looks blurred here: ${needed} are needed.`,
      );
    }
  }
  for (const [at, one] of content.entries()) {
    const other = content.slice(at + 1).find((next) => overlap(inkOf(one), inkOf(next)));
    if (other !== undefined) add('overlap', `Its ${one.kind} and ${other.kind} overlap.`);
  }
  const isEmpty = content.every(
    (element) =>
      element.kind === 'text' && !element.paragraphs.some(({ text }) => VISIBLE.test(text)),
  );
  if (isEmpty) add('empty', 'One of its pages is blank.');
}

function checkFit(element: Element, add: Add, fonts: SlideFonts): void {
  if (element.kind === 'text') {
    const { box, style, paragraphs, indent, role } = element;
    const isTooHigh = heightOf(element) > box.height + SLACK;
    const room = box.width - (paragraphs.some(({ bullet }) => bullet !== null) ? indent : 0);
    const isTooWide = paragraphs.some(({ lines }) =>
      lines.some((line) => fonts.width(line, style) > room + SLACK),
    );
    if (isTooHigh || isTooWide)
      add('overflow', `Its ${role === 'body' ? 'text' : role} does not fit its place. Shorten it.`);
  }
  if (element.kind === 'table') {
    const { columnWidths, rows, style, padding, lineHeight } = element;
    const isCut = rows.some(({ height, cells }, row) =>
      cells.some(({ lines }, at) => {
        const room = (columnWidths[at] ?? 0) - 2 * padding;
        const own = { ...style, bold: row === 0 };
        return (
          lines.length * lineHeight + 2 * padding > height + SLACK ||
          lines.some((line) => fonts.width(line, own) > room + SLACK)
        );
      }),
    );
    if (isCut) add('overflow', 'A cell of its table does not fit. Shorten it.');
  }
}

function checkReading(element: Element, add: Add): void {
  for (const { style, on } of stylesOf(element)) {
    const isLarge =
      style.size >= CONTRAST.largeSize || (style.bold && style.size >= CONTRAST.largeBold);
    if (contrast(style.color, on) < (isLarge ? CONTRAST.large : CONTRAST.normal)) {
      add('contrast', 'A text has too little contrast with its background.');
    }
    if (style.size < smallestOf(element)) {
      add('small_text', `A text of ${style.size} points is too small to read.`);
    }
  }
}

/** The styles of an element's texts, each with the color behind it. */
function stylesOf(element: Element): { readonly style: TextStyle; readonly on: Color }[] {
  switch (element.kind) {
    case 'text':
    case 'chart':
      return [element];
    case 'table': {
      const { style, on, stripeFill, headerColor, headerFill } = element;
      return [
        { style, on },
        { style, on: stripeFill },
        { style: { ...style, color: headerColor }, on: headerFill },
      ];
    }
    case 'picture':
    case 'shape':
      return [];
  }
}

/** Points. Labels and footers may be smaller than what is read. */
function smallestOf(element: Element): number {
  const isLabel =
    element.kind === 'chart' ||
    (element.kind === 'text' && (element.role === 'footer' || element.role === 'label'));
  return isLabel ? SMALLEST.label : SMALLEST.other;
}

/** Where an element really draws: of text, its lines. */
function inkOf(element: Element): Box {
  if (element.kind !== 'text') return element.box;
  const { box, anchor } = element;
  const height = Math.min(heightOf(element), box.height);
  const free = box.height - height;
  const y = box.y + (anchor === 'middle' ? free / 2 : anchor === 'bottom' ? free : 0);
  return { ...box, y, height };
}

function overlap(one: Box, other: Box): boolean {
  const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return across > SLACK && down > SLACK;
}

function wordsOf(page: Page): number {
  return page.elements.reduce((sum, element) => {
    if (element.kind !== 'text' || element.role === 'footer') return sum;
    return sum + element.paragraphs.reduce((own, { text }) => own + countWords(text), 0);
  }, 0);
}

function countWords(text: string): number {
  const wide =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)
      ?.length ?? 0;
  const others =
    text
      .match(/[\p{L}\p{N}]+/gu)
      ?.filter(
        (word) =>
          !/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word),
      ).length ?? 0;
  return Math.round(wide / 2 + others);
}

/** Notes and sources are not on the slide; an empty cell of a table is nothing to report. */
function withoutNotes(slide: Slide): Partial<Slide> {
  const { notes: _notes, sources: _sources, ...shown } = slide;
  if (shown.layout !== 'table') return shown;
  return {
    ...shown,
    rows: shown.rows.map((row) => row.filter((cell) => cell.trim() !== '')),
    columns: shown.columns.filter((name) => name.trim() !== ''),
  };
}
