import type { RunEvent } from '#contract/events/run-event.ts';
import type { ReportFormat } from '#contract/vocabulary.ts';
import { collectReport } from './collect-report.ts';
import { reportToHtml } from './report-html.ts';
import { reportToPdf } from './report-pdf.ts';

export interface ExportedReport {
  readonly fileName: string;
  readonly mimeType: string;
  readonly data: Buffer;
}

export const MIME_TYPES: Readonly<Record<ReportFormat, string>> = {
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
};

/** A report of a run as a file. Throws `NOT_FOUND`, and `BAD_REQUEST` if fonts for the PDF are missing. */
export async function exportReport(
  events: Iterable<RunEvent>,
  { format, reportId }: { readonly format: ReportFormat; readonly reportId?: string | undefined },
): Promise<ExportedReport> {
  const collected = collectReport(events, reportId);
  const data = await render(collected, format);
  const { path, title } = collected.report;
  const name = path?.split('/').at(-1)?.replace(/\.md$/, '') ?? title;
  return {
    fileName: `${fileNameOf(name, 'report')}.${format}`,
    mimeType: MIME_TYPES[format],
    data,
  };
}

async function render(
  collected: ReturnType<typeof collectReport>,
  format: ReportFormat,
): Promise<Buffer> {
  switch (format) {
    case 'md':
      return Buffer.from(collected.report.markdown);
    case 'html':
      return Buffer.from(await reportToHtml(collected));
    case 'pdf':
      return reportToPdf(collected);
  }
}

/** A name of a file that every system takes, from a name or a title. */
export function fileNameOf(title: string, otherwise: string): string {
  const plain = title
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return [...plain].slice(0, 60).join('') || otherwise;
}
