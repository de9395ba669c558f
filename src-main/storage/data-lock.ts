import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import BetterSqlite3, { SqliteError } from 'better-sqlite3';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import type { DataPaths } from './data-paths.ts';
import { toFileError, toStorageError } from './storage-error.ts';

/** The process that uses a data folder, for the message that a second process gets. */
export interface LockHolder {
  readonly pid: number;
  /** `desktop`, `browser` or `terminal`. */
  readonly entryPoint: string;
  /** Where the web UI can be reached, without its token. */
  readonly address?: string | undefined;
}

const StoredHolder = z.object({
  pid: z.int().positive(),
  entryPoint: z.string(),
  address: z.string().optional(),
});

/**
 * The right to write in a data folder. It depends on a lock of the operating system, which ends with the
 * process, however that ends. `lock.json` beside it only names the holder; if it is left behind, the last
 * process did not close properly.
 */
export class DataLock {
  /** The last process here ended without closing. */
  readonly leftBehind: boolean;
  readonly #paths: DataPaths;
  readonly #database: BetterSqlite3.Database;

  private constructor(paths: DataPaths, database: BetterSqlite3.Database, leftBehind: boolean) {
    this.#paths = paths;
    this.#database = database;
    this.leftBehind = leftBehind;
  }

  /** Throws `DATA_DIR_IN_USE`, `DATA_DIR_UNUSABLE`, `DISK_FULL`. */
  static acquire(paths: DataPaths, holder: LockHolder): DataLock {
    let database: BetterSqlite3.Database | null = null;
    try {
      database = new BetterSqlite3(paths.lock, { timeout: 0 });
      // Otherwise SQLite would create a journal beside this file, which never contains anything.
      database.pragma('journal_mode = MEMORY');
      database.exec('BEGIN EXCLUSIVE');
      const lock = new DataLock(paths, database, existsSync(paths.lockHolder));
      lock.describe(holder);
      return lock;
    } catch (error) {
      database?.close();
      throw isBusy(error) ? inUse(paths) : toStorageError(error, paths.dataDir);
    }
  }

  /** Updates who holds the lock, such as when the address of the web UI is known. */
  describe(holder: LockHolder): void {
    try {
      writeFileSync(this.#paths.lockHolder, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
    } catch (error) {
      throw toFileError(error, this.#paths.dataDir);
    }
  }

  /** Releases the folder. Unless `isSound`, the next process treats it as left behind by a crash. */
  release(isSound: boolean): void {
    if (!this.#database.open) return;
    if (isSound) rmSync(this.#paths.lockHolder, { force: true });
    this.#database.close();
  }
}

/** The process that claims the lock of this folder; null if none does or the file cannot be read. */
export function readLockHolder(paths: DataPaths): LockHolder | null {
  try {
    return StoredHolder.parse(JSON.parse(readFileSync(paths.lockHolder, 'utf8')));
  } catch {
    // It is being written right now, or was removed: the lock works without it.
    return null;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ desktop: 'desktop app', browser: 'web UI', terminal: 'CLI' },
};

function nameOf(entryPoint: string): string {
  return NAMES[entryPoint] ?? entryPoint;
}

function inUse(paths: DataPaths): AppError {
  const holder = readLockHolder(paths);
  const { dataDir } = paths;
  if (holder === null) {
    return new AppError(
      'DATA_DIR_IN_USE',
      `Another process is using ${dataDir}. Close it, or choose another data folder.`,
      { details: { dataDir } },
    );
  }
  const where = holder.address === undefined ? '' : ` at ${holder.address}`;
  return new AppError(
    'DATA_DIR_IN_USE',
    `HyperAgent is already running on ${dataDir} (process ${holder.pid}, ${nameOf(holder.entryPoint)}${where}). Use that one, close it, or choose another data folder.`,
    { details: { dataDir, ...holder } },
  );
}
