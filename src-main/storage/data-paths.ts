import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { toFileError } from './storage-error.ts';

/** Where things lie in the data folder. Nothing else in the program joins these paths. */
export interface DataPaths {
  readonly dataDir: string;
  readonly database: string;
  /** The index of the person's folders; it can be made anew at any time. */
  readonly library: string;
  /** Held with a lock of the operating system while a process works here. */
  readonly lock: string;
  /** Says who holds the lock; left behind by a process that crashed. */
  readonly lockHolder: string;
  /** Space that is given up when the disk is full. */
  readonly reserve: string;
  readonly logs: string;
  readonly backups: string;
  /** Files that were taken in and belong to no task yet. */
  readonly attachments: string;
  readonly workspaces: string;
  /** Contents of files of workspaces as they were. */
  readonly snapshots: string;
  /** Files on their way from one sandbox to another. */
  readonly transfers: string;
  /** Markdown skills of the person. */
  readonly skills: string;
  /** The workspace of a task; the sandbox shows it as `/workspace`. */
  workspace(threadId: string): string;
}

export function dataPaths(dataDir: string): DataPaths {
  const workspaces = join(dataDir, 'workspaces');
  return {
    dataDir,
    database: join(dataDir, 'hyperagent.db'),
    library: join(dataDir, 'library.db'),
    lock: join(dataDir, 'lock.db'),
    lockHolder: join(dataDir, 'lock.json'),
    reserve: join(dataDir, 'reserve'),
    logs: join(dataDir, 'logs'),
    backups: join(dataDir, 'backups'),
    attachments: join(dataDir, 'attachments'),
    workspaces,
    snapshots: join(dataDir, 'snapshots'),
    transfers: join(dataDir, 'transfers'),
    skills: join(dataDir, 'skills'),
    workspace: (threadId) => join(workspaces, threadId),
  };
}

/** Whether there are signs that a database was in the folder: what only an app that had one makes. */
export function dataWasHere(paths: DataPaths): boolean {
  const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const has = (dir: string, name: RegExp): boolean =>
    existsSync(dir) && readdirSync(dir).some((entry) => name.test(entry));
  return (
    sizeOf(`${paths.database}-wal`) > 0 ||
    sizeOf(paths.library) > 0 ||
    has(paths.workspaces, /^thr_/) ||
    has(paths.backups, /\.db$/) ||
    has(join(paths.snapshots, 'blobs'), /./)
  );
}

/** Other users' rights to a folder. */
const OF_OTHERS = 0o077;
const STICKY = 0o1000;

/**
 * Makes the data folder, for its owner only. One that others may read is closed to them, and true is
 * given, unless it is everybody's: the user's home, a folder of another user or one like `/tmp`.
 * Throws `DATA_DIR_UNUSABLE`, `DISK_FULL`.
 */
export function makeDataDir(dataDir: string): boolean {
  try {
    const made = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // mkdir is subject to the umask of the caller's shell; the rights of what we made are not.
    const isOpen = made === undefined && isOpenToOthers(dataDir);
    if (made !== undefined || isOpen) chmodSync(dataDir, 0o700);
    return isOpen;
  } catch (error) {
    throw toFileError(error, dataDir);
  }
}

function isOpenToOthers(dataDir: string): boolean {
  // Windows keeps rights in lists, which a folder inherits from the user's own.
  if (process.platform === 'win32') return false;
  const { mode, uid, dev, ino } = statSync(dataDir);
  const home = statSync(homedir(), { throwIfNoEntry: false });
  const isHome = home?.ino === ino && home.dev === dev;
  const isShared = (mode & STICKY) !== 0 || uid !== process.getuid?.();
  return (mode & OF_OTHERS) !== 0 && !isShared && !isHome;
}
