import { closeSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { prepareBackup, pruneBackups, timeInName } from './backups.ts';
import { Connection } from './connection.ts';
import type { UpkeepReport, UpkeepStart } from './upkeep.ts';

const { database, dataDir, backups, at } = workerData as UpkeepStart;

/** What stays free on the disk, besides as much again as the copy takes. */
const LEFT_FREE_BYTES = 256 * 1024 * 1024;

parentPort?.postMessage(checkAndCopy());

/** Checks the database in full, and copies it where it is sound and there is room. */
function checkAndCopy(): UpkeepReport {
  const source = new Connection({ file: database, dataDir, readonly: true, busyTimeoutMs: 5_000 });
  try {
    const finding = checkOf(source);
    if (finding !== null) return { kind: 'damaged', finding };
    const { size } = statSync(database);
    const { bavail, bsize } = statfsSync(dataDir);
    if (bavail * bsize < 2 * size + LEFT_FREE_BYTES) return { kind: 'no_room', bytes: size };
    return { kind: 'backed_up', file: copy(source) };
  } finally {
    source.close();
  }
}

function copy(source: Connection): string {
  const name = `hyperagent-daily-${timeInName(at)}.db`;
  const half = prepareBackup(backups, name);
  try {
    source.sql('VACUUM INTO ?').run(half);
    const made = new Connection({ file: half, dataDir, readonly: true, busyTimeoutMs: 0 });
    const finding = checkOf(made);
    made.close();
    if (finding !== null) throw new Error(`The copy is damaged: ${finding}`);
    const handle = openSync(half, 'r+');
    fsyncSync(handle);
    closeSync(handle);
    renameSync(half, join(backups, name));
  } catch (error) {
    rmSync(half, { force: true });
    throw error;
  }
  pruneBackups(backups, 'daily');
  return name;
}

function checkOf(connection: Connection): string | null {
  const finding = String(connection.pragma('integrity_check(1)'));
  return finding === 'ok' ? null : finding;
}
