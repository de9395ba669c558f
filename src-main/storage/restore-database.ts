import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { Clock } from '../base/clock.ts';
import { type Backup, listBackups, prepareBackup, timeInName } from './backups.ts';
import { checkLog, checkNotLost } from './check-database.ts';
import { findLogDamage } from './check-log.ts';
import { Connection } from './connection.ts';
import { DataLock } from './data-lock.ts';
import { type DataPaths, dataPaths, makeDataDir } from './data-paths.ts';
import { readVersion } from './migrate.ts';
import { migrations } from './migrations/all.ts';
import { checkSchemaMark } from './schema-mark.ts';
import { databaseCorrupt, toFileError } from './storage-error.ts';

export interface RestoreOptions {
  readonly dataDir: string;
  readonly entryPoint: string;
  readonly clock: Clock;
}

export interface Restored {
  /** The restored backup; null for an empty database. */
  readonly backup: Backup | null;
  /** Where the damaged file is now; null if there was none. */
  readonly keptAs: string | null;
}

/** The damage that a check of the folder's database finds; null if it is sound or there is none. */
export function findDamage(dataDir: string): AppError | null {
  const paths = dataPaths(dataDir);
  try {
    checkNotLost(paths);
    checkLog(paths);
    if (existsSync(paths.database)) check(paths.database, dataDir);
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'DATABASE_CORRUPT') return error;
    throw error;
  }
}

/**
 * The newest sound backup that this version can read; null if there is none. If only the log is damaged, the
 * database as it was before the damage is saved as a backup first, and is the newest.
 */
export function findBackup(dataDir: string): Backup | null {
  salvage(dataPaths(dataDir));
  const sound = listBackups(dataPaths(dataDir).backups).find(({ file }) => {
    try {
      check(file, dataDir);
      return true;
    } catch {
      // An earlier one may be sound.
      return false;
    }
  });
  return sound ?? null;
}

/**
 * Replaces a damaged database with a backup, or with an empty one for null. The damaged file is kept under a
 * name that says so. Unfinished runs in the backup are paused, because what they did since is unknown. Throws
 * `DATA_DIR_IN_USE`, `DATA_DIR_UNUSABLE`, `DISK_FULL`, `STORAGE_FAILED`.
 */
export function restoreDatabase(backup: Backup | null, options: RestoreOptions): Restored {
  const { dataDir, entryPoint, clock } = options;
  const paths = dataPaths(dataDir);
  makeDataDir(dataDir);
  const lock = DataLock.acquire(paths, { pid: process.pid, entryPoint });
  const partFile = `${paths.database}.part`;
  try {
    rmSync(partFile, { force: true });
    if (backup === null) makeEmpty(partFile, dataDir);
    else {
      copyFileSync(backup.file, partFile);
      pauseRuns(partFile, backup, dataDir);
    }
    syncFile(partFile);
    const keptAs = setAside(paths, clock);
    renameSync(partFile, paths.database);
    return { backup, keptAs };
  } catch (error) {
    rmSync(partFile, { force: true });
    throw toFileError(error, dataDir);
  } finally {
    lock.release(true);
  }
}

/** Throws `DATABASE_CORRUPT`, `DATABASE_TOO_NEW`. */
function check(file: string, dataDir: string): void {
  const connection = new Connection({ file, dataDir, readonly: true, busyTimeoutMs: 5_000 });
  try {
    readVersion(connection, migrations);
    checkSchemaMark(connection);
    const finding = String(connection.pragma('integrity_check(1)'));
    if (finding !== 'ok') throw databaseCorrupt(finding, dataDir);
  } finally {
    connection.close();
  }
}

/** If the log is damaged, makes a backup of everything that can still be read. */
function salvage({ database, dataDir, backups }: DataPaths): void {
  const log = `${database}-wal`;
  if (findLogDamage(log) === null) return;
  const name = `hyperagent-daily-${timeInName(statSync(log).mtimeMs)}.db`;
  const partFile = prepareBackup(backups, name);
  try {
    copyFileSync(database, partFile);
    copyFileSync(log, `${partFile}-wal`);
    const connection = new Connection({ file: partFile, dataDir, busyTimeoutMs: 0 });
    connection.pragma('wal_checkpoint(TRUNCATE)');
    connection.close();
    check(partFile, dataDir);
    renameSync(partFile, join(backups, name));
  } catch (error) {
    // The database itself is damaged too: only an earlier backup can be sound.
    if (!(error instanceof AppError && error.code === 'DATABASE_CORRUPT')) {
      throw toFileError(error, backups);
    }
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(`${partFile}${end}`, { force: true });
  }
}

/** Moves the log as well: left in place, SQLite would apply it to the new database. */
function setAside({ dataDir, database }: DataPaths, clock: Clock): string | null {
  const kept = join(dataDir, `hyperagent-damaged-${timeInName(clock.now())}.db`);
  rmSync(`${database}-shm`, { force: true });
  for (const end of ['-wal', '']) {
    if (existsSync(`${database}${end}`)) renameSync(`${database}${end}`, `${kept}${end}`);
  }
  return existsSync(kept) ? kept : null;
}

function makeEmpty(file: string, dataDir: string): void {
  const connection = new Connection({ file, dataDir, busyTimeoutMs: 0 });
  try {
    // Writes the first page: an empty file would count as a lost database.
    connection.exec('VACUUM');
  } finally {
    connection.close();
  }
}

function pauseRuns(file: string, { takenAt }: Backup, dataDir: string): void {
  const connection = new Connection({ file, dataDir, busyTimeoutMs: 0 });
  try {
    const date = new Date(takenAt).toISOString().slice(0, 16).replace('T', ' ');
    const message = `This run was restored from the backup of ${date} (UTC). What it did after that is unknown; check its files before you resume it.`;
    connection
      .sql("UPDATE runs SET status = 'paused', error = ? WHERE ended_at IS NULL")
      .run(JSON.stringify({ code: 'RUN_INTERRUPTED', message }));
  } finally {
    connection.close();
  }
}

function syncFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
