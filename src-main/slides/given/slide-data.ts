import { AppError } from '#contract/errors.ts';
import type { WorkspaceFiles } from '../../sandbox/types.ts';
import type { ReadTable } from '../slide-service-types.ts';
import {
  cellText,
  DATA_KINDS,
  type DataCell,
  type DataTable,
  MOST_DATA_BYTES,
  MOST_DATA_ROWS,
} from './data-table.ts';
import { type DecimalMark, isAmbiguous, readNumber } from './read-number.ts';
import { looseName } from './slide-names.ts';

export interface SlideChartData {
  readonly categories: readonly string[];
  readonly series: readonly {
    readonly name: string;
    readonly values: readonly (number | null)[];
  }[];
}

export interface SlideTableData {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What a slide takes from a file of the workspace. */
export type SlideData = { readonly file: string } & (
  | ({ readonly kind: 'chart' } & SlideChartData)
  | ({ readonly kind: 'table' } & SlideTableData)
);

/** What a slide wants of a file: columns by their names. */
export type SlideDataWish = { readonly file: string } & (
  | {
      readonly kind: 'chart';
      /** Whose values are the categories. */
      readonly x: string | null;
      readonly y: readonly string[];
      /** Categories are numbers. */
      readonly isScatter: boolean;
    }
  | { readonly kind: 'table'; readonly columns: readonly string[] | null }
);

/** Rows of a file that a slide takes, as the contract has it. */
const MOST = { chart: 60, table: 200 } as const;

/**
 * What a slide wants of its file: values as they are, nothing summed or guessed. Throws `BAD_REQUEST` with what is to be
 * done, and what reading the file throws. `path` is where the file is opened.
 */
export async function readSlideData(
  wish: SlideDataWish,
  {
    files,
    path,
    readTable,
  }: {
    readonly files: Pick<WorkspaceFiles, 'read'>;
    readonly path: string;
    readonly readTable: ReadTable;
  },
): Promise<SlideData> {
  const { file } = wish;
  const kind = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? '';
  if (!(DATA_KINDS as readonly string[]).includes(kind)) {
    throw refused(file, `Data is read from files that end in .${DATA_KINDS.join(', .')}.`);
  }
  const { data, size } = await files.read(path, MOST_DATA_BYTES);
  if (size > MOST_DATA_BYTES) {
    throw refused(file, 'It is larger than 5 MB. Aggregate the data into a new file first.');
  }
  const table = await readTable(data, kind).catch((error: unknown) => {
    if (error instanceof AppError) throw refused(file, error.message);
    throw refused(file, 'It is damaged, or its format does not match its name.', error);
  });
  const most = MOST[wish.kind];
  if (table.rows.length > most) {
    const count =
      table.rows.length > MOST_DATA_ROWS
        ? 'more than 5,000'
        : table.rows.length.toLocaleString('en-US');
    throw refused(
      file,
      `It has ${count} rows; a ${wish.kind} shows ${most} at most. Aggregate them into a new file first, with a program.`,
    );
  }
  if (table.rows.length === 0) throw refused(file, 'It has a header, but no rows.');
  return { file, ...(wish.kind === 'chart' ? chartOf(wish, table) : tableOf(wish, table)) };
}

function chartOf(
  { file, x, y, isScatter }: Extract<SlideDataWish, { kind: 'chart' }>,
  table: DataTable,
): { kind: 'chart' } & SlideChartData {
  const there = `Its columns are: ${table.columns.join(', ')}.`;
  if (x === null) throw refused(file, `x is missing. Name the column of the categories. ${there}`);
  if (y.length === 0) throw refused(file, `y is missing. Name the columns of the values. ${there}`);
  const at = columnAt(x, { file, table });
  const categories = isScatter
    ? numbersOf(at, { file, table }).map((value) => (value === null ? '' : String(value)))
    : table.rows.map(({ cells }) => cellText(cells[at]));
  const empty = table.rows.find((_row, i) => categories[i] === '');
  if (empty !== undefined) {
    throw refused(file, `Row ${empty.number} has nothing in column "${table.columns[at]}".`);
  }
  const series = y.map((name) => {
    const column = columnAt(name, { file, table });
    return { name: table.columns[column] ?? '', values: numbersOf(column, { file, table }) };
  });
  return { kind: 'chart', categories, series };
}

function tableOf(
  { file, columns }: Extract<SlideDataWish, { kind: 'table' }>,
  table: DataTable,
): { kind: 'table' } & SlideTableData {
  const wanted = columns?.map((name) => columnAt(name, { file, table })) ?? [
    ...table.columns.keys(),
  ];
  return {
    kind: 'table',
    columns: wanted.map((at) => table.columns[at] ?? ''),
    rows: table.rows.map(({ cells }) => wanted.map((at) => cellText(cells[at]))),
  };
}

interface Source {
  readonly file: string;
  readonly table: DataTable;
}

/** The column that is called so, exactly or else ignoring case and spaces. */
function columnAt(name: string, { file, table: { columns } }: Source): number {
  const matching = (isSame: (column: string) => boolean): number[] =>
    [...columns.keys()].filter((at) => isSame(columns[at] ?? ''));
  const exact = matching((column) => column === name.trim());
  const found = exact.length > 0 ? exact : matching((one) => looseName(one) === looseName(name));
  const [at] = found;
  if (at !== undefined && found.length === 1) return at;
  const what = at === undefined ? 'no column' : `${found.length} columns`;
  const advice = at === undefined ? '' : ' Rename one of them.';
  throw refused(file, `It has ${what} "${name}".${advice} Its columns are: ${columns.join(', ')}.`);
}

/** The numbers of a column, all read in the same way. */
function numbersOf(at: number, { file, table }: Source): (number | null)[] {
  const { rows, columns, separator } = table;
  const read = (mark: DecimalMark): (number | null | undefined)[] =>
    rows.map(({ cells }) => numberOf(cells[at], mark));
  const [point, comma] = [read('.'), read(',')];
  const found = [point, comma].find((values) => !values.includes(undefined));
  const place = (row: (typeof rows)[number] | undefined): string =>
    `Row ${row?.number}, column "${columns[at]}", is "${cellText(row?.cells[at]).slice(0, 60)}"`;
  if (found === undefined) {
    const wrong = rows[point.indexOf(undefined)];
    throw refused(file, `${place(wrong)}, which is not a number. Fix it, or leave it empty.`);
  }
  // Where semicolons separate cells, commas may be decimal; no other value of the column says which.
  const isDoubtful = separator === ';' && found === point && !comma.includes(undefined);
  const doubtful = isDoubtful ? rows.find(({ cells }) => isAmbiguous(cells[at])) : undefined;
  if (doubtful !== undefined) {
    throw refused(file, `${place(doubtful)}, which can be read in two ways. Write plain numbers.`);
  }
  return found.map((value) => value ?? null);
}

function numberOf(cell: DataCell | undefined, mark: DecimalMark): number | null | undefined {
  if (typeof cell === 'object' && cell !== null) return cell.value;
  return readNumber(cell, mark);
}

function refused(file: string, what: string, cause?: unknown): AppError {
  const options = cause === undefined ? {} : { cause };
  return new AppError('BAD_REQUEST', `${file} cannot be used. ${what}`, options);
}
