import { type Stats, statSync } from 'node:fs';
import { safeParse } from '#contract/safe-parse.ts';
import { Settings } from '#contract/settings.ts';
import { Connection } from '../storage/connection.ts';
import { type DataPaths, dataPaths } from '../storage/data-paths.ts';
import { latestVersion } from '../storage/migrate.ts';
import { migrations } from '../storage/migrations/all.ts';
import type { TextCleaner } from './text-cleaner.ts';

export interface StoredFactsParts {
  readonly dataDir: string;
  readonly cleaner: TextCleaner;
  /** Checks every page of the database, which can take seconds: not in a process that has a window. */
  readonly checksDatabase: boolean;
}

const BUSY_TIMEOUT_MS = 1_000;
const COUNTED = [
  ['Tasks', 'threads'],
  ['Runs', 'runs'],
  ['Connectors', 'connectors'],
  ['Approval rules', 'rules'],
  ['Stored keys', 'secrets'],
] as const;

/**
 * How much is stored, and whether it can be read. No titles and no texts. Opens the database for reading whatever its
 * version, creates nothing, and reports what is damaged.
 */
export function storedFacts({ dataDir, cleaner, checksDatabase }: StoredFactsParts): string[] {
  const paths = dataPaths(dataDir);
  const folder = `Data folder: ${cleaner.line(dataDir)}`;
  const info = statOf(dataDir);
  if (info === null) return [folder, 'It does not exist yet.'];
  if (!info.isDirectory()) return [folder, 'It is not a folder.'];
  const file = statOf(paths.database);
  if (file === null) return [folder, 'There is no database.'];
  // A pipe would be waited for.
  if (!file.isFile()) return [folder, 'The database is not a regular file.'];
  return [
    folder,
    `Database: ${file.size} bytes, with a log of ${statOf(`${paths.database}-wal`)?.size ?? 0} bytes`,
    ...attempt(cleaner, () => databaseFacts(paths, { cleaner, checksDatabase })),
  ];
}

function databaseFacts(
  { database, dataDir }: DataPaths,
  { cleaner, checksDatabase }: Pick<StoredFactsParts, 'cleaner' | 'checksDatabase'>,
): string[] {
  const connection = new Connection({
    ...{ file: database, dataDir, readonly: true, busyTimeoutMs: BUSY_TIMEOUT_MS },
  });
  try {
    return [
      ...attempt(cleaner, () => {
        const version = Number(connection.pragma('user_version'));
        return [`Schema: version ${version} of ${latestVersion(migrations)}`];
      }),
      ...(checksDatabase
        ? attempt(cleaner, () => {
            const found = String(connection.pragma('quick_check(1)'));
            return [found === 'ok' ? 'Check: ok' : `Check: damaged, ${cleaner.line(found)}`];
          })
        : []),
      ...COUNTED.flatMap(([label, table]) =>
        attempt(cleaner, () => [`${label}: ${countOf(connection, table)}`], label),
      ),
      ...attempt(cleaner, () => ignoredSettings(connection)),
    ];
  } finally {
    connection.close();
  }
}

function countOf(connection: Connection, table: (typeof COUNTED)[number][1]): number {
  return (
    connection.sql<{ count: number }>(`SELECT count(*) AS count FROM ${table}`).get()?.count ?? 0
  );
}

/** Stored settings that the app ignores because they are not valid: their names, if they are names of settings. */
function ignoredSettings(connection: Connection): string[] {
  const rows = connection
    .sql<{ name: string; value: string }>('SELECT name, value FROM settings')
    .all();
  const ignored = rows.filter(({ name, value }) => !isValid(name, value)).map(({ name }) => name);
  const known = ignored.filter((name) => Object.hasOwn(Settings.shape, name)).sort();
  const unknown = ignored.length - known.length;
  return [
    ...(known.length === 0 ? [] : [`Invalid settings, ignored: ${known.join(', ')}`]),
    ...(unknown === 0 ? [] : [`Settings of another version, ignored: ${unknown}`]),
  ];
}

function isValid(name: string, value: string): boolean {
  if (!Object.hasOwn(Settings.shape, name)) return false;
  try {
    return safeParse(Settings.shape[name as keyof Settings], JSON.parse(value)).success;
  } catch {
    // Not JSON.
    return false;
  }
}

/** What `read` finds, or why it could not be read. */
function attempt(cleaner: TextCleaner, read: () => string[], what = 'This'): string[] {
  try {
    return read();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [`${what} could not be read: ${cleaner.line(why)}`];
  }
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    // Missing, or closed to us: then opening it says why.
    return null;
  }
}
