import type { JsonObject } from './types.ts';

/** Fields that are the result itself, as text; the first present one leads, without a heading. */
const TEXTS = ['report', 'content', 'summary', 'explanation'];
/** Fields with source code, in the language of the output. */
const CODE: ReadonlySet<string> = new Set(['code', 'tests']);
const CELL_CHARS = 300;

/** A skill's output as Markdown for the user: its main text first, then the other fields by name. */
export function describeOutput(output: JsonObject): string {
  const main = TEXTS.find((name) => typeof output[name] === 'string' && output[name] !== '');
  const parts = main === undefined ? [] : [String(output[main])];
  const language = typeof output.language === 'string' ? output.language : '';
  for (const [name, value] of Object.entries(output)) {
    if (name === main || isNothing(value)) continue;
    // The report contains the summary.
    if (main === 'report' && name === 'summary') continue;
    parts.push(`${heading(name, value)}${describeValue(value, { name, language })}`);
  }
  return parts.join('\n\n');
}

function heading(name: string, value: unknown): string {
  const title = name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());
  return isShort(value) && !CODE.has(name) ? `**${title}**: ` : `### ${title}\n\n`;
}

function describeValue(
  value: unknown,
  { name, language }: { readonly name: string; readonly language: string },
): string {
  if (typeof value === 'string') {
    if (CODE.has(name)) return fenced(value, language);
    if (/output|source/.test(name) && value.includes('\n')) return fenced(value, '');
    return value;
  }
  if (!Array.isArray(value)) return isShort(value) ? String(value) : fenced(json(value), 'json');
  if (value.every((item) => typeof item !== 'object' || item === null)) {
    return value.map((item) => `- ${String(item)}`).join('\n');
  }
  return table(value);
}

function table(rows: readonly unknown[]): string {
  const objects = rows.filter((row): row is JsonObject => typeof row === 'object' && row !== null);
  const columns = [...new Set(objects.flatMap((row) => Object.keys(row)))];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map((column) => column.replaceAll('_', ' '))),
    line(columns.map(() => '---')),
    ...objects.map((row) => line(columns.map((column) => cell(row[column])))),
  ].join('\n');
}

function cell(value: unknown): string {
  const text =
    value === null || value === undefined
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  const short = text.length > CELL_CHARS ? `${text.slice(0, CELL_CHARS)}…` : text;
  return short.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}

function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= 120 && !value.includes('\n');
  return typeof value !== 'object';
}

function isNothing(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  );
}
