/** By which column a table is sorted. */
export interface SortOrder {
  readonly column: number;
  readonly descending: boolean;
}

/** Bounded: a long cell of digits would take the square of its length. */
const NUMBER =
  /^[^\p{L}\d+-]{0,3}([-+−]?\d[\d,' \u00a0]{0,40}(?:\.\d{1,20})?)\s?(?:%|[^\p{L}\d]{1,3}|\p{L}{1,4})?$/u;
const WORDS = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The number that a cell holds, with or without a sign of its currency or unit; null for words. */
function numberIn(cell: string): number | null {
  const digits = NUMBER.exec(cell.trim())?.[1];
  if (digits === undefined) return null;
  const value = Number(digits.replace(/[,' \u00a0]/g, '').replace('−', '-'));
  return Number.isNaN(value) ? null : value;
}

/** Numbers by value and before words, words as people sort them, empty cells last. */
export function compareCells(a: string, b: string): number {
  const [left, right] = [numberIn(a), numberIn(b)];
  if (left !== null && right !== null) return left - right;
  if (left !== null || right !== null) return left === null ? 1 : -1;
  return WORDS.compare(a, b);
}

/** Rows in the order of one of their cells; equal ones stay as they are, and empty cells are last in both directions. */
export function sortedBy<Row>(
  rows: readonly Row[],
  cells: readonly (readonly string[])[],
  { column, descending }: SortOrder,
): Row[] {
  const cellOf = (place: number): string => cells[place]?.[column]?.trim() ?? '';
  return rows
    .map((row, place) => ({ row, place, cell: cellOf(place) }))
    .sort((a, b) => {
      if (a.cell === '' || b.cell === '') {
        return Number(a.cell === '') - Number(b.cell === '') || a.place - b.place;
      }
      const order = compareCells(a.cell, b.cell);
      return (descending ? -order : order) || a.place - b.place;
    })
    .map(({ row }) => row);
}

/** Cells that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Rows as RFC 4180 has them. What a spreadsheet would run as a formula is marked as text, numbers excepted. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  const field = (cell: string): string => {
    const text = FORMULA.test(cell) && numberIn(cell) === null ? `'${cell}` : cell;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(field).join(',')}\r\n`).join('');
}
