import type { Deck, Slide } from '#contract/slides.ts';
import { isRightToLeft } from './break-lines.ts';
import type { SlideFonts } from './fonts.ts';
import { drawBigNumber, drawProcess, drawTeam, drawTimeline } from './layouts/card-layouts.ts';
import { drawChart } from './layouts/chart-layouts.ts';
import { drawComparison, drawTwoColumns } from './layouts/column-layouts.ts';
import { drawImageText } from './layouts/picture-layouts.ts';
import { type Drawn, footer, type Rest, type Sheet } from './layouts/sheet.ts';
import { drawTable } from './layouts/table-layout.ts';
import { drawCover, drawList, drawQuote } from './layouts/text-layouts.ts';
import { type Look, ownLook } from './look.ts';
import { type DeckPictures, type Element, type LaidOutDeck, PAGE, type Page } from './types.ts';

/** A slide that would take more pages than this is hostile: the rest of it is in the notes. */
const MOST_PAGES_OF_SLIDE = 40;

/** Turns the slots of a deck into pages: nothing of it is lost, and nothing is set smaller than it can be read. */
export function layOutDeck(
  deck: Deck,
  pictures: DeckPictures,
  fonts: SlideFonts,
  look: Look = ownLook(deck.theme),
): LaidOutDeck {
  const pages: Page[] = [];
  for (const [index, slide] of deck.slides.entries()) {
    const parts = partsOf(slide, { ...look, fonts, pictures });
    for (const [part, drawn] of parts.entries()) {
      const sources = part === parts.length - 1 ? slide.sources : [];
      pages.push(
        pageOf(drawn, { slide, index, part, sources, number: pages.length + 1, ...look, fonts }),
      );
    }
  }
  const isMirrored = isMostlyRightToLeft(deck);
  return {
    title: deck.title,
    language: languageOf(deck),
    isRightToLeft: isMirrored,
    pages: isMirrored ? pages.map(mirrored) : pages,
  };
}

function partsOf(slide: Slide, tools: Omit<Sheet, 'part' | 'firstNumber'>): Drawn[] {
  const parts: Drawn[] = [];
  const queue: Rest[] = [{ slide }];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const sheet: Sheet = { ...tools, part: parts.length + 1, firstNumber: next.firstNumber ?? 1 };
    const drawn = drawSlide(next.slide, sheet);
    parts.push(drawn);
    queue.unshift(...drawn.rest);
    if (parts.length < MOST_PAGES_OF_SLIDE) continue;
    const unshown = [...(drawn.unshown ?? []), ...queue.map((rest) => textOfSlots(rest.slide))];
    parts[parts.length - 1] = { ...drawn, unshown };
    break;
  }
  return parts;
}

function drawSlide(slide: Slide, sheet: Sheet): Drawn {
  switch (slide.layout) {
    case 'title':
    case 'section':
    case 'closing':
      return drawCover(slide, sheet);
    case 'agenda':
    case 'bullets':
      return drawList(slide, sheet);
    case 'two_columns':
      return drawTwoColumns(slide, sheet);
    case 'comparison':
      return drawComparison(slide, sheet);
    case 'quote':
      return drawQuote(slide, sheet);
    case 'big_number':
      return drawBigNumber(slide, sheet);
    case 'timeline':
      return drawTimeline(slide, sheet);
    case 'process':
      return drawProcess(slide, sheet);
    case 'table':
      return drawTable(slide, sheet);
    case 'chart':
      return drawChart(slide, sheet);
    case 'image_text':
      return drawImageText(slide, sheet);
    case 'team':
      return drawTeam(slide, sheet);
  }
}

interface PageParts extends Look {
  readonly slide: Slide;
  readonly index: number;
  readonly part: number;
  readonly sources: readonly string[];
  readonly number: number;
  readonly fonts: SlideFonts;
}

function pageOf(drawn: Drawn, parts: PageParts): Page {
  const { slide, index, part, sources, number } = parts;
  const isFirst = slide.layout === 'title' && number === 1;
  const foot = footer({ sources, number }, drawn.frame, parts);
  const unshown = [
    ...(drawn.unshown ?? []),
    ...(foot.unshown.length === 0 ? [] : [`Sources: ${foot.unshown.join(', ')}`]),
  ];
  return {
    slide: index,
    title: part === 0 ? slide.title : `${slide.title} (${part + 1})`,
    background: drawn.frame.ground,
    ...(drawn.frame.layout === undefined ? {} : { layout: drawn.frame.layout, size: parts.size }),
    elements: [...drawn.elements, ...(isFirst && sources.length === 0 ? [] : foot.elements)],
    notes: [...(part === 0 && slide.notes !== '' ? [slide.notes] : []), ...unshown].join('\n\n'),
  };
}

/** The texts of a slide in the order of its slots. */
export function textOfSlots(slide: Slide): string {
  return textsIn(slide).join('\n');
}

/** All texts in a value, but not the names of layouts, files and kinds. */
export function textsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string')
    return /^(?:layout|path|type)$/.test(key) || value === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => textsIn(one, name));
}

function isMostlyRightToLeft(deck: Deck): boolean {
  const texts = deck.slides.flatMap((slide) => textsIn(slide));
  const marked = texts.filter((text) => /\p{L}/u.test(text));
  return marked.filter(isRightToLeft).length * 2 > marked.length;
}

/** BCP 47, by the letters of most of its text. */
function languageOf(deck: Deck): string {
  const text = deck.slides.map(textOfSlots).join('\n');
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const letters = count(/\p{L}/gu) / 4;
  if (count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu) > letters / 2) return 'ja-JP';
  if (count(/\p{Script=Hangul}/gu) > letters) return 'ko-KR';
  if (count(/\p{Script=Han}/gu) > letters) return 'zh-CN';
  if (count(/\p{Script=Arabic}/gu) > letters) return 'ar-SA';
  if (count(/\p{Script=Hebrew}/gu) > letters) return 'he-IL';
  if (count(/\p{Script=Cyrillic}/gu) > letters) return 'ru-RU';
  return 'en-US';
}

/** The same page for readers who begin at the right. On a template, titles and footers keep their places. */
function mirrored(page: Page): Page {
  const { layout, elements } = page;
  if (layout === undefined) {
    return { ...page, elements: elements.map((element) => mirroredElement(element, PAGE.width)) };
  }
  const boxes = elements.filter(isOfBody).map(({ box }) => box);
  const left = Math.min(...boxes.map(({ x }) => x));
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const turned = elements.map((element) => {
    const { x, width } = element.box;
    return mirroredElement(element, isOfBody(element) ? left + right : 2 * x + width);
  });
  return { ...page, elements: turned };
}

function isOfBody(element: Element): boolean {
  return element.kind !== 'text' || (element.role !== 'title' && element.role !== 'footer');
}

/** `across`: the sum of where a point is and where it goes. */
function mirroredElement(element: Element, across: number): Element {
  const { box } = element;
  const moved = { ...element, box: { ...box, x: across - box.x - box.width } };
  if (moved.kind === 'table') {
    const rows = moved.rows.map(({ height, cells }) => ({
      height,
      cells: cells.toReversed().map((cell) => ({ ...cell, align: 'right' as const })),
    }));
    return { ...moved, columnWidths: moved.columnWidths.toReversed(), rows };
  }
  if (moved.kind !== 'text' || moved.align === 'center') return moved;
  return { ...moved, align: moved.align === 'left' ? 'right' : 'left' };
}
