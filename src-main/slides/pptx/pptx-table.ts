import type PptxGenJS from 'pptxgenjs';
import { isRightToLeft } from '../break-lines.ts';
import type { TableCell, TableElement } from '../types.ts';
import { inches, type Writing } from './pptx-text.ts';
import { cleanParagraph } from './xml-text.ts';

/** Points. */
const RULE = 0.75;
const EMPTY: TableCell = { lines: [''], text: '', align: 'left' };

/** What pptxgenjs takes for a cell; its types lack what cells share with other texts. */
type CellOptions = PptxGenJS.TableCellProps & { lineSpacing: number; rtlMode: boolean };

/** A table of PowerPoint, with rules between its rows. */
export function addTable(
  slide: PptxGenJS.Slide,
  table: TableElement,
  { name, writing }: { name: string; writing: Writing },
): void {
  const { columnWidths, rows } = table;
  if (columnWidths.length === 0 || rows.length === 0) return;
  // A row with fewer cells than columns is an error for PowerPoint.
  const cells = rows.map((row, at) =>
    columnWidths.map((_, column) =>
      cellOf(row.cells[column] ?? EMPTY, { table, row: at, writing }),
    ),
  );
  slide.addTable(cells, {
    ...inches(table.box),
    objectName: name,
    colW: columnWidths.map((width) => width / 72),
    rowH: rows.map(({ height }) => height / 72),
    autoPage: false,
  });
}

function cellOf(
  cell: TableCell,
  { table, row, writing }: { table: TableElement; row: number; writing: Writing },
): PptxGenJS.TableCell {
  const { style, padding, lineHeight, headerFill, headerColor, stripeFill, borderColor } = table;
  const isHeader = row === 0;
  const fill = isHeader ? headerFill : row % 2 === 0 ? stripeFill : table.on;
  const rule: PptxGenJS.BorderProps = { type: 'solid', pt: RULE, color: borderColor };
  const none: PptxGenJS.BorderProps = { type: 'none' };
  const options: CellOptions = {
    align: cell.align,
    valign: 'top',
    bold: isHeader || style.bold,
    color: isHeader ? headerColor : style.color,
    fill: { color: fill },
    fontFace: style.typeface ?? style.face,
    fontSize: style.size,
    lang: writing.language,
    lineSpacing: lineHeight,
    rtlMode: isRightToLeft(cell.text),
    // pptxgenjs takes one and more for points, and less for inches.
    margin: padding >= 1 ? padding : padding / 72,
    border: [rule, none, rule, none],
  };
  return { text: cleanParagraph(cell.text), options };
}
