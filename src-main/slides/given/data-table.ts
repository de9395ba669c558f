import { createRequire } from 'node:module';
import type * as Xlsx from '@e965/xlsx';
import type { CellObject } from '@e965/xlsx';
import { AppError } from '#contract/errors.ts';
import { parseOutsideJson } from '../../base/outside-json.ts';
import { decodeText } from '../../documents/decode-text.ts';
import { checkZip } from '../../documents/zip-check.ts';

/** A file of data as its rows, without a guess at what they mean. */
export interface DataTable {
  readonly columns: readonly string[];
  /** With the number of each row in the file, from 1. */
  readonly rows: readonly { readonly number: number; readonly cells: readonly DataCell[] }[];
  /** What separates its cells, where it is text. */
  readonly separator: string | null;
}
/** A number of a workbook keeps its look for tables. */
export type DataCell = string | number | null | { readonly value: number; readonly text: string };

export const MOST_DATA_BYTES = 5 * 1024 * 1024;
export const MOST_DATA_ROWS = 5_000;
const UNPACKED_BYTES = 25 * 1024 * 1024;
export const DATA_KINDS = ['csv', 'tsv', 'xlsx', 'json'] as const;

/** The rows of a file. Throws `BAD_REQUEST`, or `LIBRARY_UNREADABLE` and `FILE_TOO_LARGE` for a bad archive. */
export async function readDataTable(bytes: Buffer, kind: string): Promise<DataTable> {
  switch (kind) {
    case 'csv':
    case 'tsv':
      return readSeparated(decodeText(bytes), kind === 'tsv' ? '\t' : null);
    case 'json':
      return readRecords(decodeText(bytes));
    case 'xlsx':
      return readWorkbook(bytes);
    default:
      throw new AppError('BAD_REQUEST', `It must end in .${DATA_KINDS.join(', .')}.`);
  }
}

function tableOf(grid: readonly (readonly DataCell[])[], separator: string | null): DataTable {
  const numbered = grid
    .map((cells, i) => ({ number: i + 1, cells: trimmed(cells) }))
    .filter(({ cells }) => cells.length > 0);
  const [head, ...rows] = numbered;
  if (head === undefined) throw new AppError('BAD_REQUEST', 'It is empty.');
  const columns = head.cells.map((cell) => cellText(cell).trim());
  const long = rows.find(({ cells }) => cells.length > columns.length);
  if (long !== undefined) {
    throw new AppError(
      'BAD_REQUEST',
      `Row ${long.number} has ${long.cells.length} cells, but the header has ${columns.length}. Put cells that contain the separator in quotes.`,
    );
  }
  return { columns, rows, separator };
}

/** Without empty cells at its end. */
function trimmed(cells: readonly DataCell[]): readonly DataCell[] {
  const last = cells.findLastIndex((cell) => cellText(cell).trim() !== '');
  return cells.slice(0, last + 1);
}

export function cellText(cell: DataCell | undefined): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'object' ? cell.text : String(cell);
}

function readSeparated(text: string, known: string | null): DataTable {
  const separator = known ?? separatorOf(text);
  const grid: string[][] = [];
  let row: string[] = [];
  const special = new RegExp(`[\n${separator === '|' ? '\\|' : separator}]`, 'g');
  for (let at = 0; at < text.length; ) {
    const isQuoted = text[at] === '"';
    let cell = '';
    if (isQuoted) {
      const end = closingQuote(text, at, grid.length + 1);
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    }
    special.lastIndex = at;
    const next = special.exec(text)?.index ?? text.length;
    cell += text.slice(at, next);
    row.push(isQuoted ? cell : cell.trim());
    at = next + 1;
    if (text[next] === separator && at < text.length) continue;
    if (text[next] === separator) row.push('');
    grid.push(row);
    row = [];
    // The header, and one more than is read.
    if (grid.length > MOST_DATA_ROWS + 1) break;
  }
  return tableOf(grid, separator);
}

function closingQuote(text: string, from: number, row: number): number {
  for (let at = from + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0) throw new AppError('BAD_REQUEST', `A quote in row ${row} does not end.`);
    if (text[at + 1] !== '"') return at;
  }
}

/** What separates the names of the header. */
function separatorOf(text: string): string {
  const head =
    text
      .trimStart()
      .split('\n', 1)[0]
      ?.replace(/"(?:[^"]|"")*"/g, '') ?? '';
  const count = (mark: string): number => head.split(mark).length;
  return [',', ';', '\t', '|'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

function readRecords(text: string): DataTable {
  let value: unknown;
  try {
    value = parseOutsideJson(text);
  } catch (error) {
    throw new AppError('BAD_REQUEST', 'It is not JSON.', { cause: error });
  }
  const isRecord = (one: unknown): boolean =>
    typeof one === 'object' && one !== null && !Array.isArray(one);
  if (!Array.isArray(value) || !value.every(isRecord)) {
    throw new AppError('BAD_REQUEST', 'It is not a list of objects.');
  }
  const records = value
    .slice(0, MOST_DATA_ROWS + 1)
    .map((one) => new Map(Object.entries(one as object)));
  const columns = [...new Set(records.flatMap((one) => [...one.keys()]))];
  const rows = records.map((record) => columns.map((name) => scalar(record.get(name))));
  return tableOf([columns, ...rows], null);
}

function scalar(value: unknown): DataCell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The first sheet of a workbook: the values that are stored in it. Formulas are not computed, links not followed. */
async function readWorkbook(bytes: Buffer): Promise<DataTable> {
  checkZip(bytes, UNPACKED_BYTES);
  // The file that the sandbox gets too: it ships once, and is not bundled.
  const load = createRequire(import.meta.url);
  const { read, utils, SSF } = load('@e965/xlsx/dist/xlsx.full.min.js') as typeof Xlsx;
  const book = read(bytes, {
    ...{ type: 'buffer', dense: true, sheets: 0, sheetRows: MOST_DATA_ROWS + 2 },
    ...{ cellHTML: false, cellNF: true, cellFormula: true, sheetStubs: true },
  });
  const cells: SheetCells = book.Sheets[book.SheetNames[0] ?? '']?.['!data'] ?? [];
  const date1904 = book.Workbook?.WBProps?.date1904 === true;
  const grid = Array.from(cells, (row, r) =>
    Array.from(row ?? [], (cell, c): DataCell => {
      if (cell === undefined || cell === null) return null;
      const { t: type, v: value, z: format = '', f: formula } = cell;
      // A stub, whatever its value: there is none in the file.
      if (type === 'z' && formula === undefined) return null;
      if (type === 'z') {
        throw new AppError(
          'BAD_REQUEST',
          `The formula of cell ${utils.encode_cell({ r, c })} has no stored value. Open it in a spreadsheet and save it, or write values.`,
        );
      }
      if (type !== 'n' || typeof value !== 'number') {
        return value === undefined ? null : String(cell.w ?? value);
      }
      const look = String(format).replace(/"[^"]*"|\\./g, '');
      if (SSF.is_date(look)) return dateText(SSF.parse_date_code(value, { date1904 }));
      // What people see is 12 %, not 0.12.
      const seen = look.includes('%') ? Number((value * 100).toPrecision(12)) : value;
      return { value: seen, text: cell.w ?? String(value) };
    }),
  );
  return tableOf(grid, null);
}

type SheetCells = readonly (
  | readonly (Pick<CellObject, 't' | 'v' | 'w' | 'z' | 'f'> | null | undefined)[]
  | null
  | undefined
)[];

interface DateParts {
  readonly y: number;
  readonly m: number;
  readonly d: number;
  readonly H: number;
  readonly M: number;
  readonly S: number;
}

function dateText({ y, m, d, H, M, S }: DateParts): string {
  const two = (part: number): string => String(Math.floor(part)).padStart(2, '0');
  const time = H + M + S === 0 ? '' : ` ${two(H)}:${two(M)}${S === 0 ? '' : `:${two(S)}`}`;
  return y < 1900 ? time.trim() : `${y}-${two(m)}-${two(d)}${time}`;
}
