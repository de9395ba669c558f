import { writeFile } from 'node:fs/promises';
import { defined } from '#contract/defined.ts';
import { AppError } from '#contract/errors.ts';
import type { ReportFormat } from '#contract/vocabulary.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print } from '../output.ts';
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
  print(plainTerminalText(data.toString('utf8')));
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
  try {
    await writeFile(file, data);
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    throw new AppError(
      'BAD_REQUEST',
      `The report could not be written to ${file} (${why}). Use -o FILE with a file in an existing, writable folder.`,
      { cause },
    );
  }
  const summary = { runId, file, mimeType, bytes: data.byteLength };
  print(
    flags.json ? jsonLine(summary) : `Saved the report to ${file} (${data.byteLength} bytes).\n`,
  );
  return EXIT.complete;
}

async function read(
  runId: string,
  { dataDir, report, format }: ReportFlags & { readonly format: ReportFormat },
  environment: CliEnvironment,
) {
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: true });
  const request = defined({ runId, format, reportId: report });
  const { data, ...file } = await app.api['reports.export'](request);
  return { ...file, data: Buffer.from(data, 'base64') };
}
