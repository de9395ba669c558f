import type { Run } from '#contract/entities.ts';
import { AppError, toErrorEnvelope } from '#contract/errors.ts';
import { RunRecord, type RunRecordParts } from './run-record.ts';

export type DormantRunParts = Omit<RunRecordParts, 'onFailure'>;

/** Events read at once. */
const PAGE = 500;

/**
 * Ends a run that no program works on: parked, or left behind by a crash. What it had said of an
 * answer becomes its message. Where the disk takes nothing, a later start ends it again.
 */
export function endDormantRun(
  run: Run,
  { status, error }: { readonly status: 'failed' | 'cancelled'; readonly error: AppError },
  parts: DormantRunParts,
): void {
  const record = new RunRecord(run, { ...parts, onFailure: () => undefined });
  for (let seq = 0; ; ) {
    const page = parts.stores.events.page(run.id, seq, PAGE);
    record.recall(page);
    seq = page.at(-1)?.seq ?? seq;
    if (page.length < PAGE) break;
  }
  record.end({ kind: 'failure', status, error: toErrorEnvelope(error) });
}

/**
 * Ends every run that an earlier process left without one, so that no window shows work that nobody
 * does. To be called once, before the first run starts. Returns how many there were.
 */
export function endInterruptedRuns(parts: DormantRunParts): number {
  const left = parts.stores.runs.unfinished();
  for (const run of left) {
    endDormantRun(run, { status: 'failed', error: interrupted(run) }, parts);
    parts.logger.warn('A run was left without an end', { runId: run.id, status: run.status });
  }
  return left.length;
}

function interrupted(run: Run): AppError {
  const message =
    run.status === 'waiting'
      ? 'The app was closed while the run waited for your answer, and the question went with it. Send the task again to be asked anew.'
      : 'The app was closed or crashed while the run was at work. Send "go on" to continue from what is kept, or send the task again.';
  return new AppError('RUN_INTERRUPTED', message, { details: { status: run.status } });
}
