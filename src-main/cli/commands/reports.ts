import { defined } from '#contract/defined.ts';
import type { ReportFormat } from '#contract/vocabulary.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { print } from '../output.ts';
import { saveExport } from '../save-export.ts';
import { plainTerminalText } from '../visible-text.ts';

export interface ReportFlags {
  readonly dataDir?: string;
  readonly report?: string;
  readonly json?: boolean;
}

/** Prints the report of a run as Markdown. */
export async function showReport(
  runId: string,
  flags: ReportFlags,
  environment: CliEnvironment,
): Promise<number> {
  const { data } = await read(runId, { ...flags, format: 'md' }, environment);
  print(plainTerminalText(Buffer.from(data, 'base64').toString('utf8')));
  return EXIT.complete;
}

/** Writes the report to a file, named after the report by default. */
export async function exportReport(
  runId: string,
  flags: ReportFlags & { readonly format: ReportFormat; readonly output?: string },
  environment: CliEnvironment,
): Promise<number> {
  const { data, fileName, mimeType } = await read(runId, flags, environment);
  const file = flags.output ?? fileName;
  return await saveExport({ file, data, what: 'the report', about: { runId, mimeType } }, flags);
}

async function read(
  runId: string,
  { dataDir, report, format }: ReportFlags & { readonly format: ReportFormat },
  environment: CliEnvironment,
) {
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: true });
  const request = defined({ runId, format, reportId: report });
  return await app.api['reports.export'](request);
}
