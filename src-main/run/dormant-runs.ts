import type { Run } from '#contract/entities.ts';
import { type AppError, toErrorEnvelope } from '#contract/errors.ts';
import { RunRecord, type RunRecordParts } from './run-record.ts';

export type DormantRunParts = Omit<RunRecordParts, 'onFailure'>;

/**
 * Ends a run that no program works on: parked, or left behind by a crash. What it had said of an
 * answer becomes its message. Where the disk takes nothing, the record that is given can store it later.
 */
export function endDormantRun(
  run: Run,
  { status, error }: { readonly status: 'failed' | 'cancelled'; readonly error: AppError },
  parts: DormantRunParts,
): Pick<RunRecord, 'run' | 'isStored' | 'storeRest'> {
  const record = new RunRecord(run, { ...parts, onFailure: () => undefined });
  record.recall();
  record.end({ kind: 'failure', status, error: toErrorEnvelope(error) });
  return record;
}

/**
 * Every run that an earlier process left without an end. Those that were at work, or whose questions
 * are answered, are marked as queued, so that no window shows work that nobody does; those that wait
 * for a person go on waiting, and paused ones stay so.
 */
export function queueInterruptedRuns(
  { stores, logger }: DormantRunParts,
  hasOpenQuestions: (runId: string) => boolean,
): Run[] {
  return stores.runs.unfinished().map((run) => {
    const isCutOff =
      run.status === 'running' || (run.status === 'waiting' && !hasOpenQuestions(run.id));
    if (!isCutOff) return run;
    stores.runs.setStatus(run.id, 'queued');
    logger.warn('A run was left at work', { runId: run.id });
    return { ...run, status: 'queued' };
  });
}
