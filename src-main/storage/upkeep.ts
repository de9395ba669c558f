import { Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { workerFile } from '../base/worker-file.ts';
import { listBackups } from './backups.ts';
import type { DataPaths } from './data-paths.ts';

export interface UpkeepOptions {
  readonly paths: DataPaths;
  /** The folder of `package.json`. */
  readonly root: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with the finding when the database fails its check. */
  readonly onDamage: (finding: string) => void;
  /** Delay of the first attempt after the start; 20 s if not given. */
  readonly firstMs?: number;
}

/** What the thread is started with. */
export interface UpkeepStart {
  readonly database: string;
  readonly dataDir: string;
  readonly backups: string;
  readonly at: number;
}

export type UpkeepReport =
  | { readonly kind: 'backed_up'; readonly file: string }
  | { readonly kind: 'no_space'; readonly bytes: number }
  | { readonly kind: 'damaged'; readonly finding: string };

/** Leaves time for the window to appear first. */
const FIRST_MS = 20_000;
const RETRY_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Once a day, on a worker thread: checks the database in full, and copies it to the backups if it is sound and
 * there is space. Does not keep the process alive; disposing stops a check in progress.
 */
export function startUpkeep(options: UpkeepOptions): AsyncDisposable {
  const { paths, clock, logger, firstMs = FIRST_MS } = options;
  let worker: Worker | null = null;
  const runIfDue = (): void => {
    const age = clock.now() - (listBackups(paths.backups, 'daily')[0]?.takenAt ?? 0);
    // A negative age means that the clock was set back: then a new backup is due.
    if (worker !== null || (age >= 0 && age < DAY_MS)) return;
    worker = startWorker(options);
    worker.once('message', (report: UpkeepReport) => {
      if (report.kind === 'damaged') options.onDamage(report.finding);
      else if (report.kind === 'no_space') logger.info('No disk space for a backup', report);
      else logger.info('Database backed up', { file: report.file });
    });
    worker.once('error', (error) => logger.warn('The database was not backed up', { error }));
    worker.once('exit', () => {
      worker = null;
    });
  };
  const first = setTimeout(runIfDue, firstMs).unref();
  const again = setInterval(runIfDue, RETRY_MS).unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearTimeout(first);
      clearInterval(again);
      await worker?.terminate();
    },
  };
}

function startWorker({ paths, root, clock }: UpkeepOptions): Worker {
  const { database, dataDir, backups } = paths;
  const file = workerFile('backup-worker', { sourceDir: import.meta.dirname, root });
  const worker = new Worker(file, {
    workerData: { database, dataDir, backups, at: clock.now() } satisfies UpkeepStart,
    ...{ env: {}, execArgv: [], name: 'backup' },
  });
  worker.unref();
  return worker;
}
