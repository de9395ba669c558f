import type { Migration } from '../migrate.ts';

/** The MCP servers that the user added, and what was approved of each of their tools. */
export const connectors: Migration = {
  version: 18,
  name: 'connectors',
  sql: `
    CREATE TABLE connectors (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      -- Without the values of variables and headers.
      config TEXT NOT NULL,
      -- These values as JSON, sealed; null where there are none.
      sealed BLOB,
      -- What is kept of a sign-in, sealed; null where there is none.
      sign_in BLOB,
      is_enabled INTEGER NOT NULL,
      -- What the server calls itself, as JSON; null until it first answered.
      server TEXT,
      added_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE connector_tools (
      connector_id TEXT NOT NULL REFERENCES connectors (id) ON DELETE CASCADE,
      -- As the server calls it.
      name TEXT NOT NULL,
      position INTEGER NOT NULL,
      -- What the server said last, as canonical JSON.
      now TEXT NOT NULL,
      -- The server no longer lists it.
      is_gone INTEGER NOT NULL,
      -- What the user approved; null for a new one.
      approved TEXT,
      is_enabled INTEGER NOT NULL,
      is_repeatable INTEGER NOT NULL,
      PRIMARY KEY (connector_id, name)
    ) STRICT;
  `,
};
