import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '#main/base/logger.ts';
import { BlobStore } from '#main/sandbox/snapshots/blob-store.ts';
import {
  WorkspaceSnapshots,
  type WorkspaceSnapshotsParts,
} from '#main/sandbox/snapshots/workspace-snapshots.ts';
import { dataPaths } from '#main/storage/data-paths.ts';
import { openSnapshots } from '#main/storage/snapshot-store.ts';
import { HandClock, insertRun, open, temporaryDir } from '../../storage/support.ts';

/** Snapshots of the task `thr_1` with its run `run_1`, over a real database and folder. */
export function bench(changes: Partial<WorkspaceSnapshotsParts> = {}) {
  const dataDir = temporaryDir();
  const clock = new HandClock();
  const database = open(dataDir, { clock });
  insertRun(database);
  const paths = dataPaths(dataDir);
  const store = openSnapshots(database.connection);
  const settings = { snapshotLimitMb: 100, snapshotHours: 24 };
  const quieted: string[] = [];
  const make = () =>
    new WorkspaceSnapshots({
      ...{ store, blobs: new BlobStore(paths.snapshots), workspaceDir: paths.workspace },
      quiet: async (threadId) => void quieted.push(threadId),
      settings: () => settings,
      ...{ clock, logger: silentLogger },
      ...changes,
    });
  const dir = paths.workspace('thr_1');
  mkdirSync(dir, { recursive: true });
  const snapshots = make();
  let seq = 0;
  return {
    ...{ dataDir, database, clock, paths, store, settings, quieted, dir, snapshots },
    /** The same over the same folder, as a new process sees it. */
    again: make,
    take: (which: WorkspaceSnapshots = snapshots) => {
      clock.time += 1000;
      seq += 1;
      return which.take({
        ...{ threadId: 'thr_1', step: { runId: 'run_1', seq }, cause: 'step' },
        persist: (work) => work(),
        signal: new AbortController().signal,
      });
    },
    blobs: () => filesBelow(join(paths.snapshots, 'blobs')),
  };
}

export function filesBelow(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
}

/** A folder as one value: kinds, permissions, targets and contents by path. */
export function look(dir: string, prefix = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(dir, prefix)).sort()) {
    const path = prefix + name;
    const at = join(dir, path);
    const info = lstatSync(at);
    const mode = (info.mode & 0o777).toString(8);
    if (info.isSymbolicLink()) found[path] = `-> ${readlinkSync(at)}`;
    else if (info.isDirectory()) Object.assign(found, { [path]: mode }, look(dir, `${path}/`));
    else if (info.isFile()) found[path] = `${mode} ${readFileSync(at, 'latin1')}`;
    else found[path] = 'special';
  }
  return found;
}

/** A pipe, which Node cannot make. */
export function makePipe(at: string): void {
  const { status } = spawnSync('mkfifo', [at]);
  if (status !== 0) throw new Error('mkfifo failed');
}
