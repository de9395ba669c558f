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
  /** What was put in place; null for an empty database. */
  readonly backup: Backup | null;
  /** Where the damaged file is now; null where there was none. */
  readonly keptAs: string | null;
}

/** What is damaged in the database of a folder, as its check says; null where it is sound or there is none. */
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
 * The newest backup that is sound and that this program can read; null where there is none. Where only the
 * log is damaged, that is the database as it was before the damage, which becomes a backup first.
 */
export function findBackup(dataDir: string): Backup | null {
  salvage(dataPaths(dataDir));
  const sound = listBackups(dataPaths(dataDir).backups).find(({ file }) => {
    try {
      check(file, dataDir);
      return true;
    } catch {
      // The one before it may be sound.
      return false;
    }
  });
  return sound ?? null;
}

/**
 * Puts a backup, or for null an empty database, in the place of a damaged one, which is kept under a name
 * that says what it is. Runs that had no end then are paused: what they did since is not known. Throws
 * `DATA_DIR_IN_USE`, `DATA_DIR_UNUSABLE`, `DISK_FULL`, `STORAGE_FAILED`.
 */
export function restoreDatabase(backup: Backup | null, options: RestoreOptions): Restored {
  const { dataDir, entryPoint, clock } = options;
  const paths = dataPaths(dataDir);
  makeDataDir(dataDir);
  const lock = DataLock.acquire(paths, { pid: process.pid, entryPoint });
  const half = `${paths.database}.part`;
  try {
    rmSync(half, { force: true });
    if (backup === null) makeEmpty(half, dataDir);
    else {
      copyFileSync(backup.file, half);
      pauseRuns(half, backup, dataDir);
    }
    syncFile(half);
    const keptAs = setAside(paths, clock);
    renameSync(half, paths.database);
    return { backup, keptAs };
  } catch (error) {
    rmSync(half, { force: true });
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

/** Makes a backup of all that can be read of a database whose log is damaged. */
function salvage({ database, dataDir, backups }: DataPaths): void {
  const log = `${database}-wal`;
  if (findLogDamage(log) === null) return;
  const name = `hyperagent-daily-${timeInName(statSync(log).mtimeMs)}.db`;
  const half = prepareBackup(backups, name);
  try {
    copyFileSync(database, half);
    copyFileSync(log, `${half}-wal`);
    const connection = new Connection({ file: half, dataDir, busyTimeoutMs: 0 });
    connection.pragma('wal_checkpoint(TRUNCATE)');
    connection.close();
    check(half, dataDir);
    renameSync(half, join(backups, name));
  } catch (error) {
    // The database is damaged as well: an earlier backup is the last sound one.
    if (!(error instanceof AppError && error.code === 'DATABASE_CORRUPT')) {
      throw toFileError(error, backups);
    }
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(`${half}${end}`, { force: true });
  }
}

/** The log goes along: beside another database it would be taken for that one's. */
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
    // Writes the first page: an empty file would be taken for one that was lost.
    connection.exec('VACUUM');
  } finally {
    connection.close();
  }
}

function pauseRuns(file: string, { takenAt }: Backup, dataDir: string): void {
  const connection = new Connection({ file, dataDir, busyTimeoutMs: 0 });
  try {
    const date = new Date(takenAt).toISOString().slice(0, 16).replace('T', ' ');
    const message = `This run comes from the backup of ${date} (UTC). What it did since is not known; look at its files before it goes on.`;
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
