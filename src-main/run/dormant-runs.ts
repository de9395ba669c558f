import type { Run } from '#contract/entities.ts';
import { type AppError, toErrorEnvelope } from '#contract/errors.ts';
import { RunRecord, type RunRecordParts } from './run-record.ts';

export type DormantRunParts = Omit<RunRecordParts, 'onFailure'>;

/**
 * Ends a run that no program works on: parked, or interrupted by a crash. Its partial answer becomes its
 * message. If the disk fails, the returned record can store it later.
 */
export function endDormantRun(
  run: Run,
  { status, error }: { readonly status: 'failed' | 'cancelled'; readonly error: AppError },
  parts: DormantRunParts,
): Pick<RunRecord, 'run' | 'isStored' | 'storeUnsaved'> {
  const record = new RunRecord(run, { ...parts, onFailure: () => undefined });
  record.replay();
  record.end({ kind: 'failure', status, error: toErrorEnvelope(error) });
  return record;
}

/**
 * Every run that an earlier process left without an end. Those that were running, or whose questions are
 * all answered, become queued, so that no window shows work that is not happening. Those that wait for the
 * user keep waiting, and paused ones stay paused.
 */
export function queueInterruptedRuns(
  { stores, logger }: DormantRunParts,
  hasOpenQuestions: (runId: string) => boolean,
): Run[] {
  return stores.runs.unfinished().map((run) => {
    const isInterrupted =
      run.status === 'running' || (run.status === 'waiting' && !hasOpenQuestions(run.id));
    if (!isInterrupted) return run;
    stores.runs.setStatus(run.id, 'queued');
    logger.warn('A run was interrupted', { runId: run.id });
    return { ...run, status: 'queued' };
  });
}
