import type { Connection } from './connection.ts';
import { databaseCorrupt } from './storage-error.ts';

/**
 * A hash of the schema and its version, kept in a number of the file's header that SQLite leaves to
 * programs. The schema is not covered by SQLite's own check: one that was changed by anything but a
 * migration is damage.
 */
export function writeSchemaMark(connection: Connection): void {
  connection.pragma(`application_id = ${markOf(connection)}`);
}

/** Throws `DATABASE_CORRUPT`. A database of a version before marks were written has none. */
export function checkSchemaMark(connection: Connection): void {
  const stored = Number(connection.pragma('application_id'));
  if (stored === 0 || stored === markOf(connection)) return;
  throw databaseCorrupt('its schema is not the one that was stored', connection.dataDir);
}

function markOf(connection: Connection): number {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const parts = connection
    .sql<{ sql: string | null; name: string }>(
      `SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .all();
  const version = connection.pragma('user_version');
  const hash = createHash('sha256')
    .update(JSON.stringify([version, parts]))
    .digest();
  // 0 stands for none.
  return hash.readInt32BE(0) || 1;
}
