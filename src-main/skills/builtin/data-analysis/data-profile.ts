import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { parseOutsideJson } from '../../../base/outside-json.ts';
import type { SkillContext } from '../../types.ts';

/** Python modules that read data files and draw charts; the model's programs may import them too. */
const MODULES = [
  ...[
    'data_bytes',
    'data_encoding',
    'data_text',
    'data_values',
    'data_files',
    'data_json',
    'data_xlsx',
  ],
  ...['data_sheet', 'data_parquet', 'parquet_pages', 'data_column', 'data_profile'],
  ...['charts', 'chart_page', 'chart_shapes'],
].map((name) => `${name}.py`);
/** A program and its library, for workbooks other than xlsx; a megabyte, so only where there is one. */
const SHEET_MODULES = ['read-sheets.cjs', 'xlsx.cjs'];
const PROFILE_PATH = '.hyperagent/data-profile.json';
/** For all files together; the profile names what it did not reach. Programs may run longer. */
const PROFILE_SECONDS = 240;
const MAX_FILES = 20;
const DATA_FILE =
  /\.(?:csv|tsv|tab|xlsx|xlsm|xls|xlsb|ods|json|jsonl|ndjson|geojson|parquet|pq|sqlite|sqlite3|db)(?:\.gz)?$/i;
const SHEET_FILE = /\.(?:xls|xlsb|ods)(?:\.gz)?$/i;
const ERROR_CHARS = 600;

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** One of the ways in which all dates of a column can be read; `first` and `last` are its range then. */
const DateReading = z.object({
  order: z.string(),
  count: z.int(),
  first: z.string(),
  last: z.string(),
});

const ColumnProfile = z.object({
  name: z.string(),
  type: z.string(),
  missing: z.int(),
  /** Texts that count as missing, such as NA. */
  missing_as: z.record(z.string(), z.int()).optional(),
  distinct: z.int(),
  distinct_is_minimum: z.boolean().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  sum: z.number().optional(),
  mean: z.number().optional(),
  decimal: z.string().optional(),
  /** Numbers that could be read in both notations, and what comes of the one that was not taken. */
  numbers_unsure: z
    .object({
      count: z.int(),
      example: z.string(),
      min: z.number(),
      max: z.number(),
      sum: z.number().optional(),
      mean: z.number().optional(),
    })
    .optional(),
  date_formats: z.record(z.string(), z.int()).optional(),
  date_order: z.string().nullish(),
  first_date: z.string().optional(),
  last_date: z.string().optional(),
  dates_unsure: z.int().optional(),
  date_readings: z.array(DateReading).optional(),
  /** Values with a time of day beside their date. */
  with_times: z.int().optional(),
  /** How many times have which offset; `none` without one. */
  offsets: z.record(z.string(), z.int()).optional(),
  kinds: z.record(z.string(), z.int()).optional(),
  odd: z.array(z.object({ line: z.int(), value: Scalar })).optional(),
  units: z.record(z.string(), z.int()).optional(),
  leading_zeros: z.int().optional(),
  broken_values: z.int().optional(),
  top: z.array(z.object({ value: Scalar, count: z.int() })).optional(),
  samples: z.array(Scalar),
});
export type ColumnProfile = z.infer<typeof ColumnProfile>;

const TableProfile = z.object({
  /** Empty where a file is one table. */
  name: z.string(),
  rows: z.int(),
  /** Columns of the file; `columns` describes those that were read. */
  width: z.int(),
  header: z.boolean(),
  titles: z.array(z.string()),
  partial: z.boolean().optional(),
  ragged_rows: z.int(),
  ragged_lines: z.array(z.int()),
  blank_rows: z.int(),
  merged: z.int().optional(),
  formulas_without_value: z.int().optional(),
  notes: z.array(z.string()),
  columns: z.array(ColumnProfile),
});
export type TableProfile = z.infer<typeof TableProfile>;

const FileProfile = z.object({
  path: z.string(),
  format: z.string().optional(),
  packed: z.string().optional(),
  size: z.int().optional(),
  encoding: z.string().optional(),
  /** False where the encoding is only the most likely one. */
  certain: z.boolean().optional(),
  bom: z.boolean().optional(),
  broken_bytes: z.int().optional(),
  broken_lines: z.array(z.int()).optional(),
  zero_bytes: z.int().optional(),
  zero_lines: z.array(z.int()).optional(),
  /** Lines in another encoding than the rest of the file. */
  strange_lines: z.int().optional(),
  first_strange: z.array(z.int()).optional(),
  broken_records: z.int().optional(),
  broken_record_lines: z.array(z.int()).optional(),
  delimiter: z.string().optional(),
  more_tables: z.array(z.string()).optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  tables: z.array(TableProfile),
});
export type FileProfile = z.infer<typeof FileProfile>;

/** The content of data files, measured by a program and not by a model. */
export const DataProfile = z.object({
  python: z.string(),
  /** The installed data packages. */
  packages: z.array(z.string()),
  files: z.array(FileProfile),
});
export type DataProfile = z.infer<typeof DataProfile>;

/** Data files of the workspace: the named ones, or up to 20 of those present. */
export async function findDataFiles(named: unknown, context: SkillContext): Promise<string[]> {
  const paths = safeParse(z.array(z.string().min(1)), named ?? []);
  if (!paths.success) {
    throw new AppError('SKILL_INPUT_INVALID', 'files: must be paths of files of the workspace.');
  }
  if (paths.data.length > 0) {
    return paths.data.map((path) => path.replace(/^\/workspace\/+/, ''));
  }
  return await context.once('files', async () => {
    const files = await context.services.sandbox.listFiles();
    const found = files.map(({ path }) => path).filter((path) => DATA_FILE.test(path));
    return found.sort().slice(0, MAX_FILES);
  });
}

/** Copies the app's modules into the workspace, over any that a program changed. */
async function addDataModules(paths: readonly string[], { services }: SkillContext): Promise<void> {
  const needsSheets = paths.some((path) => SHEET_FILE.test(path));
  await services.sandbox.addModules(needsSheets ? [...MODULES, ...SHEET_MODULES] : MODULES);
}

/**
 * Profiles files with a program in the sandbox, which needs approval like any other. Throws
 * `TOOL_DENIED`, and `SKILL_FAILED` where it could not run, or could read none of the files.
 */
export async function profileFiles(
  paths: readonly string[],
  context: SkillContext,
): Promise<DataProfile> {
  const { sandbox } = context.services;
  await addDataModules(paths, context);
  const program = profileProgram(paths);
  const first = await sandbox.run('python', program);
  // It changes nothing, so it is run again where its outcome is unknown.
  const result = first.isKnown ? first : await sandbox.run('python', program);
  if (!result.ok) {
    const output = (result.stderr || result.stdout).trim().slice(-ERROR_CHARS);
    throw new AppError('SKILL_FAILED', `The files could not be read: ${output}`);
  }
  // Later programs could overwrite it.
  const text = await context.once('profile', () => sandbox.readFile(PROFILE_PATH));
  const profile = DataProfile.parse(parseOutsideJson(text));
  const problems = profile.files.flatMap(({ path, error }) =>
    error === undefined ? [] : [`${path}: ${error.message}`],
  );
  if (paths.length > 0 && problems.length === paths.length) {
    throw new AppError('SKILL_FAILED', `None of the files could be read. ${problems.join(' ')}`);
  }
  return profile;
}

function profileProgram(paths: readonly string[]): string {
  return [
    '# Looks at the data files: encoding, columns, types, gaps, ranges. A part of the app; it changes none of them.',
    'import sys',
    'sys.path.insert(0, ".hyperagent")',
    'import data_profile',
    `data_profile.main(${JSON.stringify(paths)}, ${PROFILE_SECONDS})`,
    '',
  ].join('\n');
}
