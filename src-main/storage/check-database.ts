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
 * A check reads the whole file: the full one takes about 4 ms a megabyte, the quick one, which leaves the
 * order of rows and what indexes say out, 2 ms. Up to these sizes every start pays for them. What a start
 * leaves out is done beside it once a day (`upkeep.ts`).
 */
const FULL_CHECK_BYTES = 2 * 1024 * 1024;
const QUICK_CHECK_BYTES = 8 * 1024 * 1024;
const SUSPECT = 'suspect';

/**
 * The schema, and SQLite's own check: in full after a crash, or when damage was found since the last
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

/** The next start checks the database in full. */
export function noteDamage(connection: Connection, clock: Clock): void {
  connection
    .sql('INSERT INTO housekeeping VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value')
    .run(SUSPECT, clock.now());
}

/** Throws `DATABASE_CORRUPT` where commits in the log of the database would be lost without a word. */
export function checkLog({ database, dataDir }: DataPaths): void {
  const finding = findLogDamage(`${database}-wal`);
  if (finding !== null) throw databaseCorrupt(finding, dataDir);
}

/** Throws `DATABASE_CORRUPT` where data was, and the file of the database is empty or gone. */
export function checkNotLost(paths: DataPaths): void {
  const size = statSync(paths.database, { throwIfNoEntry: false })?.size;
  if (size !== undefined && size > 0) return;
  if (!dataWasHere(paths)) return;
  const finding = size === undefined ? 'its file is gone' : 'its file is empty';
  throw databaseCorrupt(finding, paths.dataDir);
}

function wasFoundDamaged(connection: Connection): boolean {
  const hasNotes = connection.sql("SELECT 1 FROM sqlite_schema WHERE name = 'housekeeping'").get();
  if (hasNotes === undefined) return false;
  return connection.sql('SELECT 1 FROM housekeeping WHERE name = ?').get(SUSPECT) !== undefined;
}
