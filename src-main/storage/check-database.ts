import { statSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { findLogDamage } from './check-log.ts';
import type { Connection } from './connection.ts';
import { type DataPaths, dataWasHere } from './data-paths.ts';
import { checkSchemaMark } from './schema-mark.ts';
import { databaseCorrupt } from './storage-error.ts';

export interface CheckParts {
  readonly paths: DataPaths;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The last process did not close the database. */
  readonly afterCrash: boolean;
}

/**
 * A check reads the whole file: the full one takes about 4 ms per megabyte; the quick one, which skips
 * index contents and the order of rows, 2 ms. Every start does them up to these sizes. The full check also runs
 * once a day in the background (`upkeep.ts`).
 */
const FULL_CHECK_BYTES = 2 * 1024 * 1024;
const QUICK_CHECK_BYTES = 8 * 1024 * 1024;
const SUSPECT = 'suspect';

/**
 * Checks the schema and runs SQLite's own check: in full after a crash, or if damage was found since the last
 * start. Throws `DATABASE_CORRUPT`.
 */
export function checkDatabase(connection: Connection, parts: CheckParts): void {
  const { clock, logger, afterCrash } = parts;
  checkSchemaMark(connection);
  const bytes = statSync(parts.paths.database).size;
  const isSuspect = wasFoundDamaged(connection);
  const isFull = afterCrash || isSuspect || bytes <= FULL_CHECK_BYTES;
  if (!isFull && bytes > QUICK_CHECK_BYTES) return;
  const began = clock.monotonic();
  const finding = String(connection.pragma(isFull ? 'integrity_check(1)' : 'quick_check(1)'));
  if (finding !== 'ok') throw databaseCorrupt(finding, connection.dataDir);
  if (isSuspect) connection.sql('DELETE FROM housekeeping WHERE name = ?').run(SUSPECT);
  if (!afterCrash) return;
  const ms = Math.round(clock.monotonic() - began);
  logger.warn('The last process did not close the database; it is sound', { bytes, ms });
}

/** Makes the next start check the database in full. */
export function noteDamage(connection: Connection, clock: Clock): void {
  connection
    .sql('INSERT INTO housekeeping VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value')
    .run(SUSPECT, clock.now());
}

/** Throws `DATABASE_CORRUPT` if commits in the log of the database would be lost silently. */
export function checkLog({ database, dataDir }: DataPaths): void {
  const finding = findLogDamage(`${database}-wal`);
  if (finding !== null) throw databaseCorrupt(finding, dataDir);
}

/** Throws `DATABASE_CORRUPT` if there was data, but the file of the database is empty or gone. */
export function checkNotLost(paths: DataPaths): void {
  const size = statSync(paths.database, { throwIfNoEntry: false })?.size;
  if (size !== undefined && size > 0) return;
  if (!dataWasHere(paths)) return;
  const finding = size === undefined ? 'its file is gone' : 'its file is empty';
  throw databaseCorrupt(finding, paths.dataDir);
}

function wasFoundDamaged(connection: Connection): boolean {
  const table = connection.sql("SELECT 1 FROM sqlite_schema WHERE name = 'housekeeping'").get();
  if (table === undefined) return false;
  return connection.sql('SELECT 1 FROM housekeeping WHERE name = ?').get(SUSPECT) !== undefined;
}
