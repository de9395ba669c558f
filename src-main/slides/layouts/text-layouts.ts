import type { Slide } from '#contract/slides.ts';
import { type FittedText, fitText, textHeight, type WantedText } from '../fit-text.ts';
import type { Box, Element, ShapeElement } from '../types.ts';
import { bodyOf, columns, type Drawn, framed, type Sheet, type SlideOf, titleOf } from './sheet.ts';

/** Points: lists look best in the first, and are continued on another page below the second. */
const LIST_SIZES = [24, 16] as const;
/** The size by which entries are shared among pages. */
const SHARED_SIZE = 18;
/** Shorter entries than this, in points of width, stand in two columns where one is too small. */
const COLUMN_ENTRIES = 7;

export function listText(
  items: readonly string[],
  box: Box,
  { theme, firstNumber }: Sheet,
  bullet: 'dot' | 'number' = 'dot',
): WantedText {
  return {
    ...{ paragraphs: items, box, role: 'body', on: theme.ground, sizes: LIST_SIZES, bullet },
    ...{ firstNumber },
    style: { face: theme.body, bold: false, color: theme.text },
  };
}

/** The entries of the first page, so that all pages have about the same. */
function shareOf(items: readonly string[], box: Box, sheet: Sheet): readonly string[] {
  const heights = items.map((item) =>
    textHeight(listText([item, ''], box, sheet), SHARED_SIZE, sheet.fonts),
  );
  const total = heights.reduce((sum, height) => sum + height, 0);
  const share = total / Math.ceil(total / box.height);
  let sum = 0;
  let count = heights.findIndex((height) => {
    sum += height;
    return sum >= share;
  });
  count = count === -1 ? items.length : count + 1;
  // The entry that goes past the page is on the next one.
  if (sum > box.height && count > 1) count -= 1;
  // A last page with one entry looks forgotten.
  if (items.length - count === 1 && count > 2) count -= 1;
  return items.slice(0, count);
}

export function drawList(slide: SlideOf<'bullets'> | SlideOf<'agenda'>, sheet: Sheet): Drawn {
  const { items } = slide;
  const { fonts, firstNumber } = sheet;
  const body = bodyOf(sheet, 'list');
  const bullet = slide.layout === 'agenda' ? 'number' : 'dot';
  const whole = fitText(listText(items, body, sheet, bullet), fonts);
  const isSmall = whole.rest.length > 0 || whole.element.style.size < 20;
  if (isSmall && items.length >= COLUMN_ENTRIES) {
    const half = Math.ceil(items.length / 2);
    const [left = body, right = body] = columns(body, 2, 40);
    const both = [
      fitText(listText(items.slice(0, half), left, sheet, bullet), fonts),
      fitText(
        listText(items.slice(half), right, { ...sheet, firstNumber: firstNumber + half }, bullet),
        fonts,
      ),
    ];
    const size = Math.min(...both.map(({ element }) => element.style.size));
    const fits = both.every(({ rest }) => rest.length === 0);
    if (fits && (whole.rest.length > 0 || size > whole.element.style.size)) {
      const elements = both.map(({ element: { paragraphs, box } }, at) => {
        const first = at === 0 ? firstNumber : firstNumber + half;
        const texts = paragraphs.map(({ text }) => text);
        const wanted = listText(texts, box, { ...sheet, firstNumber: first }, bullet);
        return fitText({ ...wanted, sizes: [size, size] }, fonts).element;
      });
      return framed(slide, sheet, { elements, rest: [] });
    }
  }
  if (whole.rest.length === 0) {
    return framed(slide, sheet, { elements: [whole.element], rest: [] }, 'list');
  }
  const share = shareOf(items, body, sheet);
  const page = fitText(listText(share, body, sheet, bullet), fonts);
  const left = [...page.rest, ...items.slice(share.length)];
  const shown = share.length - page.rest.length;
  const rest = { slide: { ...slide, items: left }, firstNumber: firstNumber + shown };
  const drawn = { elements: [page.element], rest: left.length === 0 ? [] : [rest] };
  return framed(slide, sheet, drawn, 'list');
}

/** Text that has no room on its own page, as a list that continues it. */
export function continued(slide: Slide, items: readonly string[]): Drawn['rest'] {
  const { title, sources } = slide;
  if (items.length === 0) return [];
  return [{ slide: { layout: 'bullets', title, notes: '', sources, items: [...items] } }];
}

export function drawQuote(slide: SlideOf<'quote'>, sheet: Sheet): Drawn {
  const { theme, fonts } = sheet;
  const body = bodyOf(sheet);
  const bySpace = slide.by === '' ? 0 : 50;
  const box = { ...body, x: body.x + 36, width: body.width - 100, height: body.height - bySpace };
  const quote = fitText(
    {
      ...{ paragraphs: [slide.text], box, role: 'body', on: theme.ground, sizes: [30, 20] },
      style: { face: theme.headings, bold: false, color: theme.text },
    },
    fonts,
  );
  const top = body.y + Math.max(0, (box.height - quote.height) / 3);
  const text = { ...quote.element, box: { ...box, y: top, height: quote.height + 2 } };
  const bar: ShapeElement = {
    ...{ kind: 'shape', shape: 'rectangle', fill: theme.accent },
    box: { x: body.x, y: top, width: 5, height: quote.height },
  };
  const [rest] = quote.rest;
  const isLast = rest === undefined;
  const by =
    slide.by === '' || !isLast
      ? null
      : fitText(
          {
            ...{ paragraphs: [`— ${slide.by}`], role: 'label', on: theme.ground, sizes: [18, 12] },
            box: { ...box, y: top + quote.height + 14, height: bySpace },
            style: { face: theme.body, bold: false, color: theme.muted },
          },
          fonts,
        );
  return framed(slide, sheet, {
    elements: [bar, text, ...(by === null ? [] : [by.element])],
    rest: isLast ? continued(slide, by?.rest ?? []) : [{ slide: { ...slide, text: rest } }],
  });
}

/** Title, section and closing pages. */
export function drawCover(
  slide: SlideOf<'title'> | SlideOf<'section'> | SlideOf<'closing'>,
  sheet: Sheet,
): Drawn {
  const { theme, fonts } = sheet;
  const frame = sheet.frames[slide.layout];
  const below = slide.layout === 'title' ? slide.subtitle : slide.text;
  const title = titleOf(slide.title, frame.title, sheet);
  const { color, ...place } = frame.body;
  const under: FittedText | null =
    below.trim() === ''
      ? null
      : fitText(
          {
            paragraphs: below.split(/\n+/).filter((line) => line.trim() !== ''),
            ...{ ...place, role: 'subtitle', sizes: [22, 16] },
            style: { face: theme.body, bold: false, color },
          },
          fonts,
        );
  const elements: Element[] = [
    ...frame.decoration,
    title.element,
    ...(under === null ? [] : [under.element]),
  ];
  const rest = under === null ? [] : continued(slide, under.rest);
  return { frame, elements, rest, unshown: title.unshown };
}
