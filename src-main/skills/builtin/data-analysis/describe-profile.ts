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
  const { path, format, packed, encoding, delimiter, error, tables } = file;
  if (error !== undefined) return [`FILE ${path}: ${error.message}`];
  const written = [
    packed === undefined ? format : `${format} in ${packed}`,
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
  const { strange_lines, first_strange = [], zero_bytes = 0, zero_lines = [] } = file;
  const problems: string[] = [];
  if (file.error !== undefined) problems.push(file.error.message);
  if (broken_bytes > 0) {
    problems.push(
      `${broken_bytes} bytes are not valid ${encoding} and read as U+FFFD, first in line ${broken_lines.join(', ')}.`,
    );
  }
  if (strange_lines !== undefined) {
    const [most, other] = encoding?.split('+') ?? [];
    problems.push(
      `${strange_lines} lines are not ${most} as the others; they are read as ${other}, a guess, first line ${first_strange.join(', ')}.`,
    );
  } else if (certain === false) problems.push(`The encoding is a guess: ${encoding}.`);
  if (zero_bytes > 0) {
    problems.push(
      `${zero_bytes} zero bytes are left out, first in line ${zero_lines.join(', ')}; a crash or a program that pads texts writes them.`,
    );
  }
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

function columnProblems(column: ColumnProfile): string[] {
  const { name, kinds, odd = [], date_formats, offsets = {} } = column;
  const problems: string[] = [];
  if (kinds !== undefined) {
    const mixed = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`);
    const examples = odd.map(({ line, value }) => `line ${line}: ${JSON.stringify(value)}`);
    problems.push(`Column ${name} is mixed: ${mixed.join(', ')} (${examples.join('; ')}).`);
  }
  problems.push(...numberReadings(column), ...dateReadings(column));
  if (Object.keys(offsets).length > 1) {
    const found = Object.entries(offsets).map(([offset, count]) => `${count} with ${offset}`);
    problems.push(
      `Column ${name} has times with different offsets from UTC: ${found.join(', ')}. They keep them; compare those without one only with each other.`,
    );
  }
  if (date_formats !== undefined && Object.keys(date_formats).length > 1) {
    const forms = Object.entries(date_formats).map(([form, count]) => `${count} as ${form}`);
    problems.push(`Column ${name} has dates in several formats: ${forms.join(', ')}.`);
  }
  return problems;
}

type Range = { readonly [Key in 'min' | 'max' | 'sum' | 'mean']?: number | undefined };

/** Both readings of numbers such as 1.234 where nothing in the column tells which is meant. */
function numberReadings({ name, numbers_unsure: other, decimal, ...taken }: ColumnProfile) {
  if (other === undefined) return [];
  const named = (mark: string | undefined) => (mark === ',' ? 'decimal comma' : 'decimal point');
  const [first, second] = decimal === ',' ? [',', '.'] : ['.', ','];
  return [
    `Column ${name}: ${other.count} numbers such as ${JSON.stringify(other.example)} can be read in two ways. Read here with a ${named(first)}: ${range(taken)}. With a ${named(second)} it would be: ${range(other)}. Ask which is meant, or give both; rows(…, notation={${JSON.stringify(name)}: ${JSON.stringify(second)}}) reads the other way.`,
  ];
}

function range({ min, max, sum, mean }: Range): string {
  const facts = { min, max, sum, mean };
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return known.map(([key, value]) => `${key} ${value}`).join(', ');
}

/** Every reading of dates such as 03/04/2026 where nothing in the column tells which is meant. */
function dateReadings({
  name,
  date_readings = [],
  dates_unsure,
  date_order,
  date_formats = {},
}: ColumnProfile) {
  const problems: string[] = [];
  if (dates_unsure !== undefined) {
    const readings = date_readings.map(
      ({ order, count, first, last }) => `${order} (fits ${count}, ${first} to ${last})`,
    );
    const isTaken = date_readings.some(({ order }) => order === date_order);
    problems.push(
      `Column ${name}: ${dates_unsure} dates can be read in several ways: ${readings.join(' or ')}. ${isTaken ? `Read here with the ${date_order}.` : 'They stay text until that is known.'} Ask which is meant; rows(…, notation={${JSON.stringify(name)}: ${JSON.stringify(date_readings.find(({ order }) => order !== date_order)?.order ?? 'day first')}}) reads them so.`,
    );
  }
  if (Object.keys(date_formats).some((form) => /(?<!y)yy(?!y)/.test(form))) {
    problems.push(`Column ${name}: years of two digits are read as 1970 to 2069.`);
  }
  return problems;
}

function describeTable(table: TableProfile): string[] {
  const { name, rows, width, columns, titles, partial } = table;
  const shown = columns.slice(0, COLUMNS);
  const more = width - shown.length;
  return [
    `  TABLE${name === '' ? '' : ` ${JSON.stringify(name)}`}: ${partial === true ? 'at least ' : ''}${rows} rows, ${width} columns`,
    ...(titles.length === 0 ? [] : [`    titles above it: ${titles.join(' | ')}`]),
    ...shown.map((column) => `    - ${describeColumn(column)}`),
    ...(more > 0 ? [`    - and ${more} more columns`] : []),
  ];
}

function describeColumn(column: ColumnProfile): string {
  const { name, type, missing, distinct, distinct_is_minimum, min, max, sum, mean } = column;
  const markers = Object.entries(column.missing_as ?? {}).map(
    ([text, count]) => `${JSON.stringify(text)} ×${count}`,
  );
  const as = markers.length === 0 ? '' : ` (as ${markers.join(', ')})`;
  const facts = [type, `${missing} missing${as}`];
  facts.push(`${distinct_is_minimum === true ? 'over ' : ''}${distinct} distinct`);
  if (min !== undefined) facts.push(`min ${min}, max ${max}, mean ${mean}, sum ${sum}`);
  if (column.decimal === ',') facts.push('decimal comma');
  if (column.first_date !== undefined) {
    facts.push(`from ${column.first_date} to ${column.last_date}`);
    facts.push(`written ${Object.keys(column.date_formats ?? {}).join(', ')}`);
    if (column.with_times !== undefined) {
      const zones = Object.keys(column.offsets ?? {}).filter((one) => one !== 'none');
      facts.push(zones.length === 0 ? 'with times' : `with times, offset ${zones.join(', ')}`);
    }
  }
  if (column.units !== undefined) facts.push(`units ${Object.keys(column.units).join(', ')}`);
  if (column.leading_zeros !== undefined) facts.push('has leading zeros');
  const top = column.top?.map(({ value, count }) => `${JSON.stringify(value)} ×${count}`);
  const values = top ?? column.samples.map((value) => JSON.stringify(value));
  if (values.length > 0)
    facts.push(`${top === undefined ? 'such as' : 'mostly'} ${values.join(', ')}`);
  return `${JSON.stringify(name)}: ${facts.join('; ')}`;
}
