import type { FileProfile } from './data-profile.ts';
import { fileProblems } from './describe-profile.ts';
import type { CheckedSummary } from './findings.ts';

/** A file in the output. */
export interface AnalysedFile {
  readonly path: string;
  readonly format: string;
  readonly encoding: string | null;
  readonly rows: number;
  readonly columns: number;
  readonly tables: readonly {
    readonly name: string;
    readonly rows: number;
    readonly columns: number;
  }[];
  /** Sentences on what was broken, guessed, mixed or left out. */
  readonly problems: readonly string[];
}

export function analysedFile(file: FileProfile): AnalysedFile {
  const tables = file.tables.map(({ name, rows, width }) => ({
    name,
    rows,
    columns: width,
  }));
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
  return {
    path: file.path,
    format: file.format ?? 'unknown',
    encoding: file.encoding ?? null,
    rows: sum(tables.map(({ rows }) => rows)),
    columns: sum(tables.map(({ columns }) => columns)),
    tables,
    problems: fileProblems(file),
  };
}

/** The report in Markdown, made from the checked summary. Image paths are relative to the workspace. */
export function renderReport(parts: {
  readonly request: string;
  readonly checked: CheckedSummary;
  readonly charts: readonly string[];
  readonly files: readonly AnalysedFile[];
  readonly programs: number;
}): string {
  const { request, checked, charts, files, programs } = parts;
  const { summary, findings, unverified } = checked;
  const inSummary = unverified.filter(({ statement }) => statement === 'summary');
  const lines = findings.map(({ statement, verified }) => {
    const missing = unverified.filter((one) => one.statement === statement);
    return `- ${statement}${verified ? '' : doubt(missing)}`;
  });
  const withProblems = files.filter(({ problems }) => problems.length > 0);
  return [
    `# ${oneLine(request)}`,
    `${summary}${inSummary.length === 0 ? '' : doubt(inSummary)}`,
    ...['## Findings', lines.join('\n')],
    ...charts.map((path) => `![${caption(path)}](${encodeURI(path)})`),
    ...(files.length === 0 ? [] : ['## Data', fileTable(files)]),
    ...(withProblems.length === 0
      ? []
      : [
          '## Caveats',
          withProblems
            .flatMap(({ path, problems }) => problems.map((one) => `- \`${path}\`: ${one}`))
            .join('\n'),
        ]),
    `*${programs} programs were run. Numbers were checked against what they printed${unverified.length === 0 ? '; all of them were found there' : `; ${unverified.length} of them were not found there`}.*`,
    '',
  ].join('\n\n');
}

function doubt(missing: readonly { readonly number: string }[]): string {
  return ` **(not verified: ${missing.map(({ number }) => number).join(', ')})**`;
}

const TITLE_CHARS = 120;

function oneLine(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length <= TITLE_CHARS ? line : `${line.slice(0, TITLE_CHARS)}…`;
}

function caption(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  return name.replaceAll(/[-_]+/g, ' ');
}

function fileTable(files: readonly AnalysedFile[]): string {
  const rows = files.flatMap(({ path, format, encoding, tables }) =>
    (tables.length === 0 ? [{ name: '', rows: 0, columns: 0 }] : tables).map(
      (table) =>
        `| ${cell(table.name === '' ? path : `${path}: ${table.name}`)} | ${cell([format, encoding].filter(Boolean).join(', '))} | ${table.rows} | ${table.columns} |`,
    ),
  );
  return ['| File | Format | Rows | Columns |', '|---|---|---:|---:|', ...rows].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}
