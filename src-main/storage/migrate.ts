import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { prepareBackup, pruneBackups, timeInName } from './backups.ts';
import type { Connection } from './connection.ts';
import type { DataPaths } from './data-paths.ts';
import { writeSchemaMark } from './schema-mark.ts';
import { toFileError } from './storage-error.ts';

/** One step of the schema. */
export interface Migration {
  /** Counts up from 1 without gaps; the database stores the last one as its `user_version`. */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** Moves what SQL alone cannot, after `sql` and in its transaction. */
  readonly convert?: (connection: Connection) => void;
}

export interface MigrateParts {
  readonly paths: DataPaths;
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The schema version that a program with these migrations writes. */
export function latestVersion(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

/** The version of the stored schema; 0 for a new database. Throws `DATABASE_TOO_NEW`. */
export function readVersion(connection: Connection, migrations: readonly Migration[]): number {
  const version = Number(connection.pragma('user_version'));
  const latest = latestVersion(migrations);
  if (version <= latest) return version;
  throw new AppError(
    'DATABASE_TOO_NEW',
    `The data in ${connection.dataDir} was written by a later version of the app (schema ${version}; this one knows ${latest}). Update the app, or choose another data folder. Nothing was changed.`,
    { details: { dataDir: connection.dataDir, version, latest } },
  );
}

/**
 * Brings the schema up to date, each step in its own transaction. A database with data is copied to the
 * backups first. A step that fails leaves the version before it.
 */
export function migrate(connection: Connection, parts: MigrateParts): void {
  const version = readVersion(connection, parts.migrations);
  const due = parts.migrations.filter((step) => step.version > version);
  if (due.length === 0) {
    // A database from before schema marks gets one.
    if (version > 0 && connection.pragma('application_id') === 0) writeSchemaMark(connection);
    return;
  }
  if (version > 0) backUp(connection, version, parts);
  for (const step of due) {
    connection.transaction(() => {
      connection.exec(step.sql);
      step.convert?.(connection);
      connection.pragma(`user_version = ${step.version}`);
      writeSchemaMark(connection);
    });
    parts.logger.info('Database migrated', { version: step.version, name: step.name });
  }
}

/** Makes a full copy, named by version and time; it gets its final name when it is complete. */
function backUp(connection: Connection, version: number, parts: MigrateParts): void {
  const { backups } = parts.paths;
  const name = `hyperagent-v${version}-${timeInName(parts.clock.now())}.db`;
  const partFile = join(backups, `${name}.part`);
  try {
    prepareBackup(backups, name);
    connection.sql('VACUUM INTO ?').run(partFile);
    renameSync(partFile, join(backups, name));
    pruneBackups(backups, 'migration');
  } catch (error) {
    rmSync(partFile, { force: true });
    throw toFileError(error, backups);
  }
  parts.logger.info('Database backed up before a migration', { file: name });
}
