import { writeFile } from 'node:fs/promises';
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

/** Writes it to a file; the name is the report's own unless given. */
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
      `The report cannot be written to ${file} (${why}). Name a file in a folder that exists and that you may write, with -o FILE.`,
      { cause },
    );
  }
  const summary = { runId, file, mimeType, bytes: data.byteLength };
  print(flags.json ? jsonLine(summary) : `The report is in ${file} (${data.byteLength} bytes).\n`);
  return EXIT.complete;
}

async function read(
  runId: string,
  { dataDir, report, format }: ReportFlags & { readonly format: ReportFormat },
  environment: CliEnvironment,
) {
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: true });
  return await app.services.reports.export({
    ...{ runId, format },
    ...(report === undefined ? {} : { reportId: report }),
  });
}
