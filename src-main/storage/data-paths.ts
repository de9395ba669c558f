import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { toFileError } from './storage-error.ts';

/** The layout of the data folder. Nothing else in the program joins these paths. */
export interface DataPaths {
  readonly dataDir: string;
  readonly database: string;
  /** The index of the user's folders; it can be rebuilt at any time. */
  readonly library: string;
  /** Locked through the operating system while a process works here. */
  readonly lock: string;
  /** Says which process holds the lock; a process that crashes leaves it behind. */
  readonly lockHolder: string;
  /** Reserved space, freed when the disk is full. */
  readonly reserve: string;
  readonly logs: string;
  readonly backups: string;
  /** Uploaded files that belong to no task yet. */
  readonly attachments: string;
  readonly workspaces: string;
  /** The private folders of connectors' programs, one each, and their logs. */
  readonly connectors: string;
  /** Pictures that tasks show to models. */
  readonly pictures: string;
  /** Earlier contents of workspace files. */
  readonly snapshots: string;
  /** Files in transit between two sandboxes. */
  readonly transfers: string;
  /** Model files that the app downloaded. */
  readonly models: string;
  /** What was in the users' own folders before changes were applied to them. */
  readonly folderBackups: string;
  /** The user's Markdown skills. */
  readonly skills: string;
  /** What sandboxes of this computer need: checks, launchers, facts about the system. */
  readonly sandbox: string;
  /** The storage of the page in the desktop app. */
  readonly window: string;
  /** Crash dumps of the desktop app, a part of its storage of the page. */
  readonly crashes: string;
  /** Says that everything else here is to be deleted. */
  readonly deletion: string;
  /** The workspace of a task; the sandbox mounts it as `/workspace`. */
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
    connectors: join(dataDir, 'connectors'),
    pictures: join(dataDir, 'pictures'),
    snapshots: join(dataDir, 'snapshots'),
    transfers: join(dataDir, 'transfers'),
    models: join(dataDir, 'models'),
    folderBackups: join(dataDir, 'folder-backups'),
    skills: join(dataDir, 'skills'),
    sandbox: join(dataDir, 'sandbox'),
    window: join(dataDir, 'window'),
    crashes: join(dataDir, 'window', 'Crashpad'),
    deletion: join(dataDir, 'hyperagent-deletion.json'),
    workspace: (threadId) => join(workspaces, threadId),
  };
}

/** Whether the folder once had a database: it contains files that exist only beside one. */
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

/** Permissions of other users. */
const OF_OTHERS = 0o077;
const STICKY = 0o1000;

/**
 * Creates the data folder, for its owner only. If others can read an existing one, closes it to them and
 * returns true, unless the folder is shared: the user's home, another user's folder, or one like `/tmp`.
 * Throws `DATA_DIR_UNUSABLE`, `DISK_FULL`.
 */
export function makeDataDir(dataDir: string): boolean {
  try {
    const made = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // The umask may change the mode that mkdir gets; chmod sets it in any case.
    const isOpen = made === undefined && isOpenToOthers(dataDir);
    if (made !== undefined || isOpen) chmodSync(dataDir, 0o700);
    return isOpen;
  } catch (error) {
    throw toFileError(error, dataDir);
  }
}

function isOpenToOthers(dataDir: string): boolean {
  // Windows uses access control lists, which the folder inherits from the user's own.
  if (process.platform === 'win32') return false;
  const { mode, uid, dev, ino } = statSync(dataDir);
  const home = statSync(homedir(), { throwIfNoEntry: false });
  const isHome = home?.ino === ino && home.dev === dev;
  const isShared = (mode & STICKY) !== 0 || uid !== process.getuid?.();
  return (mode & OF_OTHERS) !== 0 && !isShared && !isHome;
}
