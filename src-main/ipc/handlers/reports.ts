import { AppError } from '#contract/errors.ts';
import type { RunEventOf } from '#contract/events/run-event.ts';
import { EVENT_PAGE_SIZE } from '#contract/limits.ts';
import type { AppServices, RequestHandlers, RunDesk } from '../types.ts';

export function reportHandlers({ runs }: AppServices): Pick<RequestHandlers, 'reports.export'> {
  return {
    'reports.export': ({ runId, reportId, format }) => {
      const report = findReport(runs, runId, reportId);
      if (report === null) throw new AppError('NOT_FOUND', 'There is no such report.');
      if (format !== 'md') {
        throw new AppError(
          'BAD_REQUEST',
          'Save the report as Markdown: this version makes no other.',
        );
      }
      return {
        fileName: `${fileName(report.title)}.md`,
        mimeType: 'text/markdown',
        data: Buffer.from(report.markdown).toString('base64'),
      };
    },
  };
}

function findReport(
  runs: RunDesk,
  runId: string,
  reportId: string | undefined,
): RunEventOf<'report'> | null {
  const { lastSeq } = runs.get(runId);
  let found: RunEventOf<'report'> | null = null;
  let after = 0;
  while (after < lastSeq) {
    const page = runs.events(runId, after, EVENT_PAGE_SIZE);
    for (const event of page) {
      if (event.type === 'report' && (reportId ?? event.reportId) === event.reportId) found = event;
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.seq;
  }
  return found;
}

function fileName(title: string): string {
  const plain = title
    .replace(/[^\p{L}\p{N} -]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.slice(0, 80) || 'report';
}
