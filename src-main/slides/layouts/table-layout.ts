import type { TableCell, TableElement, TextStyle } from '../types.ts';
import { bodyOf, type Drawn, framed, type Sheet, type SlideOf } from './sheet.ts';

/** Points. */
const BEST_SIZE = 16;
/** The size of tables that take several pages. */
const LONG_SIZE = 13;
const SMALLEST_SIZE = 11;
const PADDING = 6;
const LINE = 1.2;
/** A column is at least this wide, as a share of an equal one. */
const LEAST_SHARE = 0.5;
const NUMBER =
  /^[-+−(]?[$€£¥]?\s?\d[\d\s.,'’]*\s?(?:%|‰|[a-zA-Zµ°€$£¥]{1,5}|[万亿元人年月日]{1,2})?\)?$/;

type Table = SlideOf<'table'>;

interface SetTable {
  readonly element: TableElement;
  /** How many rows of the data fit. */
  readonly shown: number;
}

/**
 * A table as native cells. Rows that do not fit follow on other pages with the same header; columns too, beside the
 * first, where a row alone is higher than a page.
 */
export function drawTable(slide: Table, sheet: Sheet): Drawn {
  for (let size = BEST_SIZE; size >= SMALLEST_SIZE; size -= 1) {
    const set = setTable(slide, size, sheet);
    if (set.shown === slide.rows.length) return page(slide, set, sheet);
  }
  for (const size of [LONG_SIZE, SMALLEST_SIZE]) {
    const set = setTable(slide, size, sheet);
    if (set.shown === 0) continue;
    // The same number of rows on each page, as far as they are equally high.
    const share = Math.ceil(slide.rows.length / Math.ceil(slide.rows.length / set.shown));
    return page(slide, share < set.shown ? setTable(slide, size, sheet, share) : set, sheet);
  }
  const { columns } = slide;
  if (columns.length <= 2) {
    const { element } = setTable({ ...slide, rows: slide.rows.slice(0, 1) }, SMALLEST_SIZE, sheet);
    // A row higher than a page: it is set all the same, and the check reports it.
    return page(slide, { element, shown: 1 }, sheet);
  }
  const half = Math.ceil(columns.length / 2);
  const first = drawTable(
    withColumns(slide, (cells) => cells.slice(0, half)),
    sheet,
  );
  const others = withColumns(slide, (cells) => [...cells.slice(0, 1), ...cells.slice(half)]);
  return { ...first, rest: [...first.rest, { slide: others }] };
}

function page(slide: Table, { element, shown }: SetTable, sheet: Sheet): Drawn {
  const rows = slide.rows.slice(shown);
  return framed(slide, sheet, {
    elements: [element],
    rest: rows.length === 0 ? [] : [{ slide: { ...slide, rows } }],
  });
}

function withColumns(slide: Table, pick: (cells: string[]) => string[]): Table {
  const columns = pick(slide.columns);
  return {
    ...slide,
    columns,
    rows: slide.rows.map((row) => pick(filled(row, slide.columns.length))),
  };
}

/** The header and the rows that fit, at most `most`. */
function setTable(
  { columns, rows }: Table,
  size: number,
  sheet: Sheet,
  most = rows.length,
): SetTable {
  const { theme, fonts } = sheet;
  const body = bodyOf(sheet);
  const style: TextStyle = { face: theme.body, size, bold: false, color: theme.text };
  const lineHeight = Math.round(size * LINE * 10) / 10;
  const texts = [columns, ...rows].map((row) => filled(row, columns.length));
  const isNumeric = columns.map((_, at) => {
    const cells = rows.map((row) => (row[at] ?? '').trim()).filter((cell) => cell !== '');
    return cells.length > 0 && cells.every((cell) => NUMBER.test(cell));
  });
  const widths = columnWidths(texts, body.width, (text, isHeader) =>
    fonts.width(text, { ...style, bold: isHeader }),
  );
  const set = texts.map((row, index) => {
    const cells = row.map((text, at): TableCell => {
      const width = (widths[at] ?? 0) - 2 * PADDING;
      const lines = fonts.breaking.lines(text, width, { ...style, bold: index === 0 });
      return { text, lines, align: isNumeric[at] === true ? 'right' : 'left' };
    });
    const lines = Math.max(...cells.map((cell) => cell.lines.length));
    return { cells, height: lines * lineHeight + 2 * PADDING };
  });
  const [header, ...data] = set;
  if (header === undefined) throw new Error('A table has a header');
  let height = header.height;
  let shown = 0;
  for (const row of data.slice(0, most)) {
    if (height + row.height > body.height) break;
    height += row.height;
    shown += 1;
  }
  // Where no row fits, the first is drawn all the same by callers that have no other choice.
  const drawn = [header, ...data.slice(0, Math.max(1, shown))];
  const element: TableElement = {
    ...{ kind: 'table', columnWidths: widths, rows: drawn, style, lineHeight, padding: PADDING },
    box: { ...body, height: drawn.reduce((sum, row) => sum + row.height, 0) },
    ...{ headerFill: theme.accent, headerColor: theme.onAccent, stripeFill: theme.card },
    ...{ borderColor: theme.line, on: theme.ground },
  };
  return { element, shown };
}

function filled(row: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, at) => row[at] ?? '');
}

/** Widths in points by what the columns hold: long texts get more room, and none gets too little. */
function columnWidths(
  rows: readonly (readonly string[])[],
  whole: number,
  measure: (text: string, isHeader: boolean) => number,
): number[] {
  const count = rows[0]?.length ?? 1;
  const least = (whole / count) * LEAST_SHARE;
  const wanted = Array.from({ length: count }, (_, at) => {
    const own = rows.map((row, index) => measure(row[at] ?? '', index === 0));
    return Math.max(least, Math.max(...own) * 1.03 + 2 * PADDING);
  });
  const total = wanted.reduce((sum, width) => sum + width, 0);
  if (total <= whole) return wanted.map((width) => (width / total) * whole);
  // What is wider than its share is made narrower by the square root, so that long columns stay longer.
  const weights = wanted.map((width) => Math.sqrt(width));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const free = whole - least * count;
  return weights.map((weight) => least + (weight / sum) * free);
}
