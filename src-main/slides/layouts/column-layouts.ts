import { type FittedText, fitText, type WantedText } from '../fit-text.ts';
import type { Box, Element } from '../types.ts';
import {
  bodyOf,
  card,
  columns,
  type Drawn,
  framed,
  inset,
  type Sheet,
  type SlideOf,
} from './sheet.ts';
import { continued, listText } from './text-layouts.ts';

const BETWEEN = 32;
const HEADING_HEIGHT = 50;
const SMALLEST = 16;
const BEST = 22;

/** Two lists side by side, in one size. A side that ends first leaves its place empty. */
export function drawTwoColumns(slide: SlideOf<'two_columns'>, sheet: Sheet): Drawn {
  const body = bodyOf(sheet);
  const [left = body, right = body] = columns(body, 2, BETWEEN);
  const both = fitSides(
    [
      { items: slide.left, box: left, on: sheet.theme.ground },
      { items: slide.right, box: right, on: sheet.theme.ground },
    ],
    sheet,
  );
  const line: Element = {
    ...{ kind: 'shape', shape: 'rectangle', fill: sheet.theme.line },
    box: { x: body.x + body.width / 2 - 0.5, y: body.y, width: 1, height: body.height },
  };
  const [restLeft = [], restRight = []] = both.map(({ rest }) => rest);
  const rest =
    restLeft.length > 0 && restRight.length > 0
      ? [{ slide: { ...slide, left: [...restLeft], right: [...restRight] } }]
      : continued(slide, [...restLeft, ...restRight]);
  return framed(slide, sheet, { elements: [line, ...both.map(({ element }) => element)], rest });
}

/** Two cards with headings. */
export function drawComparison(slide: SlideOf<'comparison'>, sheet: Sheet): Drawn {
  const { theme, fonts } = sheet;
  const body = bodyOf(sheet);
  const boxes = columns(body, 2, BETWEEN);
  const sides = [slide.left, slide.right];
  const headings = sides.map(({ heading }, at) =>
    fitText(
      {
        ...{ paragraphs: [heading], role: 'label', on: theme.accent, anchor: 'middle' },
        box: { ...inset(boxes[at] ?? body, 16), y: body.y + 4, height: HEADING_HEIGHT - 8 },
        ...{ sizes: [20, 14], style: { face: theme.body, bold: true, color: theme.onAccent } },
      },
      fonts,
    ),
  );
  if (headings.some(({ rest }) => rest.length > 0)) {
    const [left = [], right = []] = sides.map(({ heading, items }) => [heading, ...items]);
    const { title, notes, sources } = slide;
    return drawTwoColumns({ layout: 'two_columns', title, notes, sources, left, right }, sheet);
  }
  const both = fitSides(
    sides.map(({ items }, at) => {
      const inner = inset(boxes[at] ?? body, 18);
      const y = body.y + HEADING_HEIGHT + 16;
      return { items, box: { ...inner, y, height: body.y + body.height - 16 - y }, on: theme.card };
    }),
    sheet,
  );
  const [restLeft = [], restRight = []] = both.map(({ rest }) => rest);
  const rest =
    restLeft.length > 0 && restRight.length > 0
      ? [
          {
            slide: {
              ...slide,
              left: { ...slide.left, items: [...restLeft] },
              right: { ...slide.right, items: [...restRight] },
            },
          },
        ]
      : continued(
          {
            ...slide,
            title: `${slide.title}: ${restLeft.length > 0 ? slide.left.heading : slide.right.heading}`,
          },
          [...restLeft, ...restRight],
        );
  const elements = boxes.flatMap((box, at): Element[] => [
    card(box, theme.card),
    {
      ...{ kind: 'shape', shape: 'rectangle', fill: theme.accent },
      box: { ...box, height: HEADING_HEIGHT },
    },
    ...[headings[at], both[at]].flatMap((fitted) => (fitted === undefined ? [] : [fitted.element])),
  ]);
  return framed(slide, sheet, { elements, rest });
}

interface Side {
  readonly items: readonly string[];
  readonly box: Box;
  readonly on: string;
}

/** Both sides in one size; each with what does not fit. */
function fitSides(sides: readonly Side[], sheet: Sheet): FittedText[] {
  const wanted = sides.map(
    ({ items, box, on }): WantedText => ({
      ...listText(items, box, sheet),
      ...{ on, sizes: [BEST, SMALLEST] },
    }),
  );
  const fitted = wanted.map((one) => fitText(one, sheet.fonts));
  const size = Math.min(...fitted.map(({ element }) => element.style.size));
  return wanted.map((one) => fitText({ ...one, sizes: [size, size] }, sheet.fonts));
}
