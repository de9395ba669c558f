import { closeSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '#contract/errors.ts';
import { prepareBackup, pruneBackups, timeInName } from './backups.ts';
import { Connection } from './connection.ts';
import type { UpkeepReport, UpkeepStart } from './upkeep.ts';

const { database, dataDir, backups, at } = workerData as UpkeepStart;

/** The free space that a backup needs, in addition to twice the size of the database. */
const MIN_FREE_BYTES = 256 * 1024 * 1024;

parentPort?.postMessage(report());

function report(): UpkeepReport {
  try {
    return checkAndCopy();
  } catch (error) {
    // Where the schema itself is damaged, no check begins.
    if (!(error instanceof AppError && error.code === 'DATABASE_CORRUPT')) throw error;
    return { kind: 'damaged', finding: String(error.details.finding) };
  }
}

/** Checks the database in full, and copies it if it is sound and there is space. */
function checkAndCopy(): UpkeepReport {
  const source = new Connection({ file: database, dataDir, readonly: true, busyTimeoutMs: 5_000 });
  try {
    const finding = checkOf(source);
    if (finding !== null) return { kind: 'damaged', finding };
    const { size } = statSync(database);
    const { bavail, bsize } = statfsSync(dataDir);
    if (bavail * bsize < 2 * size + MIN_FREE_BYTES) return { kind: 'no_space', bytes: size };
    return { kind: 'backed_up', file: copy(source) };
  } finally {
    source.close();
  }
}

function copy(source: Connection): string {
  const name = `hyperagent-daily-${timeInName(at)}.db`;
  const partFile = prepareBackup(backups, name);
  try {
    source.sql('VACUUM INTO ?').run(partFile);
    const made = new Connection({ file: partFile, dataDir, readonly: true, busyTimeoutMs: 0 });
    const finding = checkOf(made);
    made.close();
    if (finding !== null) throw new Error(`The copy is damaged: ${finding}`);
    const handle = openSync(partFile, 'r+');
    fsyncSync(handle);
    closeSync(handle);
    renameSync(partFile, join(backups, name));
  } catch (error) {
    rmSync(partFile, { force: true });
    throw error;
  }
  pruneBackups(backups, 'daily');
  return name;
}

function checkOf(connection: Connection): string | null {
  const finding = String(connection.pragma('integrity_check(1)'));
  return finding === 'ok' ? null : finding;
}
