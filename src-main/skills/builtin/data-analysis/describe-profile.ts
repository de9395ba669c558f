import type { ColumnProfile, DataProfile, FileProfile, TableProfile } from './data-profile.ts';

/** Characters for a model with a large context window. */
const MAX_CHARS = 10_000;
const COLUMNS = 40;

/** A profile in words, for a model, and as evidence: the figures in it are exact. */
export function describeProfile(
  { files }: Pick<DataProfile, 'files'>,
  maxChars = MAX_CHARS,
): string {
  const text = files.flatMap(describeFile).join('\n');
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars)}\n[… ${text.length - maxChars} more characters; a program can read the files …]`;
}

function describeFile(file: FileProfile): string[] {
  const { path, format, encoding, delimiter, error, tables } = file;
  if (error !== undefined) return [`FILE ${path}: ${error.message}`];
  const written = [
    format,
    ...(encoding === undefined ? [] : [`encoding ${encoding}`]),
    ...(delimiter === undefined ? [] : [`delimiter ${JSON.stringify(delimiter)}`]),
  ];
  return [
    `FILE ${path} (${written.join(', ')})`,
    ...fileProblems(file).map((problem) => `  ! ${problem}`),
    ...tables.flatMap(describeTable),
  ];
}

/** What the user should know about a file before they rely on an analysis of it. */
export function fileProblems(file: FileProfile): string[] {
  const { encoding, certain, broken_bytes = 0, broken_lines = [], broken_records = 0 } = file;
  const problems: string[] = [];
  if (file.error !== undefined) problems.push(file.error.message);
  if (broken_bytes > 0) {
    problems.push(
      `${broken_bytes} bytes are not valid ${encoding} and read as U+FFFD, first in line ${broken_lines.join(', ')}.`,
    );
  }
  if (certain === false) problems.push(`The encoding is a guess: ${encoding}.`);
  if (broken_records > 0) {
    problems.push(
      `${broken_records} lines are not valid JSON and are left out, first line ${file.broken_record_lines?.join(', ')}.`,
    );
  }
  if (file.more_tables !== undefined) {
    problems.push(`${file.more_tables.length} more tables were not read.`);
  }
  return [...problems, ...file.tables.flatMap(tableProblems)];
}

function tableProblems(table: TableProfile): string[] {
  const { name, rows, header, ragged_rows, ragged_lines, formulas_without_value = 0 } = table;
  const problems = [...table.notes];
  if (rows === 0) problems.push('There are no rows below the header.');
  if (!header) problems.push('There is no header; columns are numbered.');
  if (ragged_rows > 0) {
    problems.push(
      `${ragged_rows} rows have more or fewer fields than the header, first in line ${ragged_lines.join(', ')}.`,
    );
  }
  if (formulas_without_value > 0) {
    problems.push(`${formulas_without_value} formulas have no stored value and count as missing.`);
  }
  for (const column of table.columns) problems.push(...columnProblems(column));
  return name === '' ? problems : problems.map((problem) => `${name}: ${problem}`);
}

function columnProblems({ name, kinds, odd = [], dates_unsure, date_formats }: ColumnProfile) {
  const problems: string[] = [];
  if (kinds !== undefined) {
    const mixed = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`);
    const examples = odd.map(({ line, value }) => `line ${line}: ${JSON.stringify(value)}`);
    problems.push(`Column ${name} is mixed: ${mixed.join(', ')} (${examples.join('; ')}).`);
  }
  if (dates_unsure !== undefined) {
    problems.push(`Column ${name}: in ${dates_unsure} dates day and month could be swapped.`);
  }
  if (date_formats !== undefined && Object.keys(date_formats).length > 1) {
    const forms = Object.entries(date_formats).map(([form, count]) => `${count} as ${form}`);
    problems.push(`Column ${name} has dates in several formats: ${forms.join(', ')}.`);
  }
  return problems;
}

function describeTable(table: TableProfile): string[] {
  const { name, rows, columns, titles, partial } = table;
  const shown = columns.slice(0, COLUMNS);
  const more = columns.length - shown.length;
  return [
    `  TABLE${name === '' ? '' : ` ${JSON.stringify(name)}`}: ${partial === true ? 'at least ' : ''}${rows} rows, ${columns.length} columns`,
    ...(titles.length === 0 ? [] : [`    titles above it: ${titles.join(' | ')}`]),
    ...shown.map((column) => `    - ${describeColumn(column)}`),
    ...(more > 0 ? [`    - and ${more} more columns`] : []),
  ];
}

function describeColumn(column: ColumnProfile): string {
  const { name, type, missing, distinct, distinct_is_minimum, min, max, sum, mean } = column;
  const facts = [type, `${missing} missing`];
  facts.push(`${distinct_is_minimum === true ? 'over ' : ''}${distinct} distinct`);
  if (min !== undefined) facts.push(`min ${min}, max ${max}, mean ${mean}, sum ${sum}`);
  if (column.decimal === ',') facts.push('decimal comma');
  if (column.first_date !== undefined) {
    facts.push(`from ${column.first_date} to ${column.last_date}`);
    facts.push(`written ${Object.keys(column.date_formats ?? {}).join(', ')}`);
    if (column.with_times !== undefined) facts.push('with times');
  }
  if (column.units !== undefined) facts.push(`units ${Object.keys(column.units).join(', ')}`);
  if (column.leading_zeros !== undefined) facts.push('has leading zeros');
  const top = column.top?.map(({ value, count }) => `${JSON.stringify(value)} ×${count}`);
  const values = top ?? column.samples.map((value) => JSON.stringify(value));
  if (values.length > 0)
    facts.push(`${top === undefined ? 'such as' : 'mostly'} ${values.join(', ')}`);
  return `${JSON.stringify(name)}: ${facts.join('; ')}`;
}
