import type { Run, Settings } from '#contract/entities.ts';
import type { createFileLogger } from '../base/file-logger.ts';
import type { ComposeOptions } from '../ipc/types.ts';
import type { RunService } from '../run/run-service.ts';
import type { WorkspaceSnapshots } from '../sandbox/snapshots/workspace-snapshots.ts';
import type { AttachmentStore } from '../storage/attachment-store.ts';
import type { DiskReserve } from '../storage/disk-reserve.ts';

/** What a start does once the folder is ours, beside the first run rather than before it. */
export function runStartupTasks(parts: {
  readonly runs: RunService;
  readonly attachments: AttachmentStore;
  readonly snapshots: WorkspaceSnapshots;
  readonly reserve: DiskReserve;
  /** Loads what runs are made with. */
  readonly warm: () => Promise<unknown>;
  readonly logger: ReturnType<typeof createFileLogger>;
  /** Whether runs that were cut off go on by themselves. */
  readonly goesOn: boolean;
}): void {
  const { runs, attachments, snapshots, reserve, warm, logger, goesOn } = parts;
  const interrupted = runs.recoverInterrupted();
  const report = (error: unknown): void => logger.warn('Settling in failed', { error });
  warm().catch(report);
  if (goesOn) setImmediate(() => resumeAll(interrupted, runs, report));
  // Disk work that nobody waits for.
  setTimeout(() => {
    Promise.all([attachments.sweep(), reserve.take(), snapshots.reconcile()]).catch(report);
  }, 1_000).unref();
}

/** A terminal works on the one run that it was called for. */
export function resumesByItself({ entryPoint }: ComposeOptions, { resumeRuns }: Settings): boolean {
  return entryPoint !== 'terminal' && resumeRuns === 'auto';
}

function resumeAll(
  interrupted: readonly Run[],
  runs: RunService,
  report: (error: unknown) => void,
): void {
  for (const run of interrupted) {
    try {
      if (run.status === 'queued') runs.resume(run.id);
    } catch (error) {
      report(error);
    }
  }
}
