import type { RunEvent } from '#contract/events/run-event.ts';
import type { EventReader, RunReader } from '../storage/types.ts';
import type { Requests } from './types.ts';

const PAGE = 500;

export interface ReportRequestParts {
  readonly runs: Pick<RunReader, 'get'>;
  readonly events: Pick<EventReader, 'page'>;
}

/** Reports of runs as files, built from the log, so that old and imported runs have them too. */
export function reportRequests({ runs, events }: ReportRequestParts) {
  return {
    'reports.export': async ({ runId, ...wanted }) => {
      runs.get(runId);
      const { exportReport } = await import('../reports/export-report.ts');
      const { data, ...file } = await exportReport(eventPages(events, runId), wanted);
      return { ...file, data: data.toString('base64') };
    },
  } satisfies Requests<'reports'>;
}

/** The log page by page, so that a long run is never in memory all at once. */
export function* eventPages(events: Pick<EventReader, 'page'>, runId: string): Generator<RunEvent> {
  for (let last = 0; ; ) {
    const page = events.page(runId, last, PAGE);
    yield* page;
    const end = page.at(-1);
    if (end === undefined || page.length < PAGE) return;
    last = end.seq;
  }
}
