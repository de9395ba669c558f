import { isRightToLeft } from '../break-lines.ts';
import type { SlideFonts } from '../fonts.ts';
import {
  type Box,
  CORNER_RADIUS,
  type Color,
  type Element,
  type Page,
  type TableElement,
  type TextElement,
  type TextStyle,
} from '../types.ts';
import { drawChart } from './draw-chart.ts';

/** What a page is drawn with, in points, later ones over earlier ones. */
export type Mark =
  | { readonly kind: 'rectangle'; readonly box: Box; readonly fill: Color; readonly radius: number }
  | { readonly kind: 'ellipse'; readonly box: Box; readonly fill: Color }
  | {
      readonly kind: 'polygon';
      readonly points: readonly Point[];
      readonly fill: Color;
      readonly opacity?: number;
    }
  | {
      readonly kind: 'line';
      readonly points: readonly Point[];
      readonly color: Color;
      readonly width: number;
    }
  | { readonly kind: 'picture'; readonly box: Box; readonly path: string }
  | TextMark;

export type Point = readonly [x: number, y: number];

/** One line of text. */
export interface TextMark {
  readonly kind: 'text';
  readonly text: string;
  /** Of the baseline: its beginning, middle or end. */
  readonly x: number;
  readonly y: number;
  readonly style: TextStyle;
  readonly align: 'left' | 'center' | 'right';
  readonly isRightToLeft: boolean;
  /** Degrees, clockwise. */
  readonly turned?: number;
}

const DOT = '•';

/** The marks of a page: its preview, its picture and its page in a PDF are these. */
export function marksOf(page: Page, fonts: SlideFonts): Mark[] {
  const own = page.elements.flatMap((element) => elementMarks(element, fonts));
  return [...(page.layout?.behind ?? []), ...own];
}

function elementMarks(element: Element, fonts: SlideFonts): Mark[] {
  switch (element.kind) {
    case 'text':
      return textMarks(element, fonts);
    case 'shape': {
      const { shape, box, fill } = element;
      if (shape === 'ellipse') return [{ kind: 'ellipse', box, fill }];
      return [{ kind: 'rectangle', box, fill, radius: shape === 'rounded' ? CORNER_RADIUS : 0 }];
    }
    case 'picture':
      return [{ kind: 'picture', box: element.box, path: element.path }];
    case 'table':
      return tableMarks(element, fonts);
    case 'chart':
      return drawChart(element, fonts);
  }
}

/** The lines of a text. */
export function textMarks(element: TextElement, fonts: SlideFonts): Mark[] {
  const { box, style, paragraphs, align, anchor, lineHeight, paragraphGap, indent } = element;
  const lines = paragraphs.reduce((sum, paragraph) => sum + paragraph.lines.length, 0);
  const height = lines * lineHeight + Math.max(0, paragraphs.length - 1) * paragraphGap;
  const free = box.height - height;
  let y = box.y + (anchor === 'middle' ? free / 2 : anchor === 'bottom' ? free : 0);
  return paragraphs.flatMap((paragraph) => {
    const { isRightToLeft, bullet } = paragraph;
    const atRight = align === 'right';
    const begin = atRight ? box.x + box.width - indent : box.x + indent;
    const x = align === 'center' ? box.x + box.width / 2 : begin;
    const marks = paragraph.lines.map((text): TextMark => {
      const mark = {
        text,
        x,
        y: y + baseline(style, lineHeight, fonts),
        style,
        align,
        isRightToLeft,
      };
      y += lineHeight;
      return { kind: 'text', ...mark };
    });
    y += paragraphGap;
    const [first] = marks;
    if (bullet === null || first === undefined) return marks;
    const mark = bullet === 'dot' ? DOT : `${bullet}.`;
    const edge = atRight ? box.x + box.width : box.x;
    return [{ ...first, text: mark, x: edge, isRightToLeft: false }, ...marks];
  });
}

/** From the top of a line to its baseline. */
function baseline({ face, size }: TextStyle, lineHeight: number, fonts: SlideFonts): number {
  const { above, below } = fonts.reach(face);
  return (lineHeight - (above + below) * size) / 2 + above * size;
}

function tableMarks(table: TableElement, fonts: SlideFonts): Mark[] {
  const { box, columnWidths, rows, style, lineHeight, padding } = table;
  let y = box.y;
  return rows.flatMap(({ height, cells }, index) => {
    const isHeader = index === 0;
    const top = y;
    y += height;
    const fill = isHeader ? table.headerFill : index % 2 === 0 ? table.stripeFill : table.on;
    const own = { ...style, bold: isHeader, color: isHeader ? table.headerColor : style.color };
    let x = box.x;
    const texts = cells.flatMap(({ lines, align, text }, at): Mark[] => {
      const width = columnWidths[at] ?? 0;
      const start = align === 'right' ? x + width - padding : x + padding;
      x += width;
      return lines.map(
        (line, number): Mark => ({
          ...{ kind: 'text', text: line, x: start, align, style: own },
          y: top + padding + number * lineHeight + baseline(own, lineHeight, fonts),
          isRightToLeft: isRightToLeft(text),
        }),
      );
    });
    return [
      { kind: 'rectangle', box: { ...box, y: top, height }, fill, radius: 0 },
      {
        ...{ kind: 'line', color: table.borderColor, width: 0.75 },
        points: [
          [box.x, top + height],
          [box.x + box.width, top + height],
        ],
      },
      ...texts,
    ];
  });
}
