import type { Run } from '#contract/entities.ts';
import type { Settings } from '#contract/settings.ts';
import type { Broadcast } from '../api/types.ts';
import type { Clock } from '../base/clock.ts';
import type { DisposalStack } from '../base/disposable.ts';
import type { createFileLogger } from '../base/file-logger.ts';
import { removeLeftoverFolders } from '../browser/browser-folder.ts';
import { watchAnswers } from '../run/answers-from-secondary.ts';
import type { RunService } from '../run/run-service.ts';
import { sweepTransfers } from '../sandbox/artifacts/artifact-transfer.ts';
import type { WorkspaceSnapshots } from '../sandbox/snapshots/workspace-snapshots.ts';
import type { AttachmentStore } from '../storage/attachment-store.ts';
import type { DiskReserve } from '../storage/disk-reserve.ts';
import type { DataStores } from '../storage/open-stores.ts';
import { startUpkeep, type UpkeepOptions } from '../storage/upkeep.ts';
import type { ComposeOptions } from './app.ts';

export interface OwnWork extends Omit<Parameters<typeof runStartupTasks>[0], 'resumesRuns'> {
  readonly stores: Pick<DataStores, 'paths' | 'noteDamage' | 'dataVersion'>;
  readonly settings: Settings;
  readonly root: string;
  readonly clock: Clock;
  readonly broadcast: Broadcast;
  /** Called when another process answered a question. */
  readonly onAnswers: () => void;
  readonly closing: DisposalStack;
}

/** All that the process which owns the data folder does by itself, until `closing` is disposed. */
export function startOwnWork(options: ComposeOptions, parts: OwnWork): void {
  const { stores, settings, root, clock, logger, broadcast, onAnswers, closing } = parts;
  runStartupTasks({ ...parts, resumesRuns: resumesAtStartup(options, settings) });
  const onDamage = (): void => broadcast({ kind: 'database_damaged' });
  const upkeep = keepUp({ stores, root, clock, logger, onDamage });
  closing.add(() => upkeep[Symbol.asyncDispose]());
  // At startup, every file here is left over from an earlier handoff.
  sweepTransfers(stores.paths.transfers).catch((error) =>
    logger.warn('Files of an earlier handoff could not be removed', { error }),
  );
  const watch = watchAnswers({ dataVersion: stores.dataVersion, onChange: onAnswers });
  closing.add(() => watch[Symbol.dispose]());
}

/** Work at startup, once this process owns the data folder. It does not delay the first run. */
function runStartupTasks(parts: {
  readonly runs: RunService;
  readonly attachments: AttachmentStore;
  readonly snapshots: WorkspaceSnapshots;
  readonly reserve: DiskReserve;
  /** Preloads what runs need. */
  readonly warm: () => Promise<unknown>;
  readonly logger: ReturnType<typeof createFileLogger>;
  /** Whether to resume interrupted runs. */
  readonly resumesRuns: boolean;
}): void {
  const { runs, attachments, snapshots, reserve, warm, logger, resumesRuns } = parts;
  const interrupted = runs.recoverInterrupted();
  const report = (error: unknown): void => logger.warn('A startup task failed', { error });
  warm().catch(report);
  if (resumesRuns) setImmediate(() => resumeAll(interrupted, runs, report));
  // Disk work that nothing waits for.
  setTimeout(() => {
    const tasks = [attachments.sweep(), reserve.take(), snapshots.reconcile()];
    Promise.all([...tasks, removeLeftoverFolders()]).catch(report);
  }, 1_000).unref();
}

/** Checks and backs up the database every day, until disposed. `onDamage` is called if it is damaged. */
function keepUp({
  stores,
  onDamage,
  ...parts
}: Pick<UpkeepOptions, 'root' | 'clock' | 'logger'> & {
  readonly stores: Pick<DataStores, 'paths' | 'noteDamage'>;
  readonly onDamage: () => void;
}): AsyncDisposable {
  return startUpkeep({
    ...{ ...parts, paths: stores.paths },
    onDamage: (finding) => {
      parts.logger.error('The database is damaged', { finding });
      stores.noteDamage();
      onDamage();
    },
  });
}

/** Whether interrupted runs resume at startup. A CLI command works only on its own run. */
function resumesAtStartup({ entryPoint }: ComposeOptions, { resumeRuns }: Settings): boolean {
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
