import { statSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Connection } from './connection.ts';
import type { DataPaths } from './data-paths.ts';
import { databaseCorrupt } from './storage-error.ts';

export interface CheckParts {
  readonly paths: DataPaths;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The last process did not close the database. */
  readonly afterCrash: boolean;
}

/**
 * A check reads the whole file, about 2 ms a megabyte. Below this size every start pays for it; a
 * larger database that was closed properly is checked once a day.
 */
const SMALL_BYTES = 8 * 1024 * 1024;
const LARGE_CHECK_INTERVAL_MS = 24 * 60 * 60 * 1000;
const CHECKED_AT = 'checked_at';

/** SQLite's own check: the quick one, or the full one after a crash. Throws `DATABASE_CORRUPT`. */
export function checkDatabase(connection: Connection, parts: CheckParts): void {
  const { clock, logger, afterCrash } = parts;
  const bytes = statSync(parts.paths.database).size;
  const isLarge = bytes > SMALL_BYTES;
  if (!afterCrash && isLarge && wasCheckedLately(connection, clock)) return;
  const began = clock.monotonic();
  const pragma = afterCrash ? 'integrity_check(1)' : 'quick_check(1)';
  const finding = String(connection.pragma(pragma));
  if (finding !== 'ok') throw databaseCorrupt(finding, connection.dataDir);
  if (afterCrash) {
    const ms = Math.round(clock.monotonic() - began);
    logger.warn('The last process did not close the database; it is sound', { bytes, ms });
  }
  if (isLarge) noteCheck(connection, clock);
}

function wasCheckedLately(connection: Connection, clock: Clock): boolean {
  const row = connection
    .sql<{ value: number }>('SELECT value FROM housekeeping WHERE name = ?')
    .get(CHECKED_AT);
  const age = clock.now() - (row?.value ?? 0);
  // A clock that was set back makes the note worthless.
  return age >= 0 && age < LARGE_CHECK_INTERVAL_MS;
}

function noteCheck(connection: Connection, clock: Clock): void {
  connection
    .sql('INSERT INTO housekeeping VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value')
    .run(CHECKED_AT, clock.now());
}
