import { entryRecord, fromJson, type GivenSlots, pick, recordOf } from './given-slots.ts';
import { isEmpty, lineText, plainText } from './given-text.ts';
import type { SlideTableData } from './slide-data.ts';
import { looseName } from './slide-names.ts';

const COLUMNS = ['columns', 'headers', 'header', 'column_names', 'headings'];
const ROWS = ['rows', 'data', 'cells', 'table_data', 'body', 'content'];

export interface GivenTable {
  readonly columns: unknown;
  readonly rows: unknown;
  readonly file: unknown;
}

/** What was given of a table, beside its slide or in an object of its own. */
export function takeTable(slots: GivenSlots): GivenTable {
  const own = slots.take('table');
  const record = recordOf(own) ?? new Map<string, unknown>();
  const columns = pick(record, COLUMNS.join(' ')) ?? slots.take(...COLUMNS);
  const rows =
    pick(record, ROWS.join(' ')) ??
    (recordOf(own) === null ? own : undefined) ??
    slots.take(...ROWS);
  const text =
    rows === undefined && slots.hasText('text', /\|.*\n/) ? slots.take('text') : undefined;
  const isPath = typeof rows === 'string' && /^[^\n|]+\.(?:csv|tsv|xlsx|json)$/i.test(rows.trim());
  const file = pick(record, 'file data_file') ?? slots.take('file', 'data_file');
  return {
    columns,
    rows: isPath ? undefined : (rows ?? text),
    file: file ?? (isPath ? rows : undefined),
  };
}

/** The names of columns; null where all are meant, or none were given. */
export function columnNames(given: unknown): string[] | null {
  if (isEmpty(given)) return null;
  const value = fromJson(given);
  if (typeof value === 'string') {
    if (/^(?:all|\*)$/i.test(value.trim())) return null;
    const mark = ['|', '\t'].find((one) => value.includes(one)) ?? ',';
    return cellsOf(value, mark);
  }
  return asList(value).map((entry) => {
    const record = entryRecord(entry);
    return (
      plainText(record === null ? entry : pick(record, 'title label name header text key')) ?? ''
    );
  });
}

/** The columns and rows of a table; notes what is wrong. */
export function readTable(
  { columns, rows }: GivenTable,
  slots: GivenSlots,
  data: SlideTableData | null,
): SlideTableData {
  if (data !== null && !isEmpty(rows)) {
    slots.problems.push('it has a file and rows. Leave one of them out.');
  }
  if (data !== null) return { columns: data.columns, rows: data.rows };
  const list = rowsOf(rows);
  const isMarkdown = list.some(isRule);
  const given = columnNames(columns);
  const filled = list.filter((row) => !isRule(row) && !isEmpty(row));
  const lines = isMarkdown && given === null ? filled.slice(1) : filled;
  const head = isMarkdown && given === null ? columnNames(filled[0]) : null;
  const names = given ?? head ?? keysOf(lines);
  if (lines.length === 0) slots.miss('rows', 'Give a list of rows, or a file.');
  const isNamed = names.join('') !== '';
  if (!isNamed) slots.miss('columns', 'Give the heading of each column.');
  if (lines.length === 0 || !isNamed) return { columns: [], rows: [] };
  const keys = Array.isArray(columns) ? columns.map(keyOf) : names;
  const read = lines.map((line) => readRow(line, keys.length === names.length ? keys : names));
  read.forEach((row, i) => {
    if (row === null) slots.problems.push(`rows, entry ${i + 1}, is no row. Give a list of cells.`);
    else if (row.length > names.length) {
      slots.problems.push(
        `rows, entry ${i + 1}, has ${row.length} cells, but columns has ${names.length}.`,
      );
    }
  });
  const records = lines.flatMap((line) => recordOf(line) ?? []);
  for (const name of records.length === lines.length ? keys : []) {
    const isThere = records.some((record) => isCells(record) || cellOf(record, name) !== undefined);
    if (!isThere) slots.problems.push(`no row has "${name}". Name the columns as the rows do.`);
  }
  const kept = read.flatMap((row) => (row === null || row.join('') === '' ? [] : [row]));
  if (kept.length === 0) slots.miss('rows', 'Give a list of rows, or a file.');
  return { columns: names, rows: kept };
}

function rowsOf(given: unknown): unknown[] {
  const value = fromJson(given);
  if (typeof value === 'string') return value.trim().split(/\r?\n/);
  return isEmpty(value) ? [] : asList(value);
}

/** The line below the head of a Markdown table. */
function isRule(row: unknown): boolean {
  return typeof row === 'string' && /^\s*\|?[\s:|-]*-{2,}[\s:|-]*$/.test(row) && row.includes('|');
}

function readRow(given: unknown, columns: readonly string[]): string[] | null {
  if (Array.isArray(given)) return given.map(cellText);
  if (typeof given === 'string') return cellsOf(given, given.includes('\t') ? '\t' : '|');
  const record = recordOf(given);
  if (record === null) return null;
  if (isCells(record)) return readRow(record.get('cells') ?? record.get('values'), columns);
  return columns.map((name) => cellText(cellOf(given, name)));
}

function isCells(record: ReadonlyMap<string, unknown>): boolean {
  return record.size === 1 && (record.has('cells') || record.has('values'));
}

/** The value of a record by the name of its column, exactly or else ignoring case and spaces. */
function cellOf(record: unknown, name: string): unknown {
  const entries =
    record instanceof Map ? [...record.entries()] : Object.entries((record ?? {}) as object);
  const exact = entries.find(([key]) => key === name);
  return (exact ?? entries.find(([key]) => looseName(String(key)) === looseName(name)))?.[1];
}

/** Of all records, in the order in which they come up. */
function keysOf(rows: readonly unknown[]): string[] {
  const records = rows.filter(
    (row) => recordOf(row) !== null && !isCells(recordOf(row) ?? new Map()),
  );
  if (records.length < rows.length) return [];
  return [...new Set(records.flatMap((row) => Object.keys(fromJson(row) as object)))];
}

function keyOf(column: unknown): string {
  const record = entryRecord(column);
  return lineText(record === null ? column : pick(record, 'key field id name title label')) ?? '';
}

/** A row as text: `| a | b |`. */
function cellsOf(line: string, mark: string): string[] {
  const bare = mark === '|' ? line.trim().replace(/^\||\|$/g, '') : line;
  return bare.split(mark).map(cellText);
}

function cellText(given: unknown): string {
  const record = entryRecord(given);
  const own = record === null ? given : pick(record, 'text value');
  const parts = own === undefined ? [...(record?.values() ?? [])] : own;
  if (!Array.isArray(parts)) return plainText(parts) ?? '';
  return parts.flatMap((part) => lineText(part) ?? []).join(', ');
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value.map(fromJson) : [value];
}
