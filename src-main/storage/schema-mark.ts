import type { Connection } from './connection.ts';
import { databaseCorrupt } from './storage-error.ts';

/**
 * Stores a hash of the schema and its version in `application_id`, a header field that SQLite leaves to
 * applications. SQLite's own check does not cover the schema; a schema changed by anything but a migration
 * is damage.
 */
export function writeSchemaMark(connection: Connection): void {
  connection.pragma(`application_id = ${markOf(connection)}`);
}

/** Throws `DATABASE_CORRUPT`. Databases of versions before this mark have none. */
export function checkSchemaMark(connection: Connection): void {
  const stored = Number(connection.pragma('application_id'));
  if (stored === 0 || stored === markOf(connection)) return;
  throw databaseCorrupt('its schema was changed from outside the app', connection.dataDir);
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
  // 0 means that there is no mark.
  return hash.readInt32BE(0) || 1;
}
