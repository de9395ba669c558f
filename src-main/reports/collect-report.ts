import { AppError } from '#contract/errors.ts';
import type { RunEvent, RunEventOf } from '#contract/events/run-event.ts';

/** A report with the sources that it cites, each as of its newest event. */
export interface CollectedReport {
  readonly report: RunEventOf<'report'>;
  readonly sources: readonly RunEventOf<'source'>[];
}

/**
 * The report with that id, or the newest, with the sources that it cites. `events`: those of one run, in
 * order; source numbers are unique in a run. Throws `NOT_FOUND`.
 */
export function collectReport(events: Iterable<RunEvent>, reportId?: string): CollectedReport {
  const sources = new Map<number, RunEventOf<'source'>>();
  let found: CollectedReport | null = null;
  for (const event of events) {
    if (event.type === 'source') sources.set(event.index, event);
    if (event.type !== 'report') continue;
    if (reportId === undefined || event.reportId === reportId) {
      const cited = new Set(event.citations.map(({ sourceIndex }) => sourceIndex));
      const listed = [...sources.values()].filter(({ index }) => cited.has(index));
      found = { report: event, sources: listed.sort((a, b) => a.index - b.index) };
    }
  }
  if (found !== null) return found;
  throw new AppError(
    'NOT_FOUND',
    reportId === undefined
      ? 'This run has no report. To get one, run a research task: hyperagent run --mode research "…".'
      : `This run has no report "${reportId}".`,
  );
}
