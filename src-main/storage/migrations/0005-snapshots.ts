import type { Migration } from '../migrate.ts';

/** Which files a workspace had after each step; their contents lie beside the database. */
export const snapshots: Migration = {
  version: 5,
  name: 'snapshots',
  sql: `
    CREATE TABLE snapshots (
      -- In the order of taking: clocks go backwards.
      position INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
      run_id TEXT,
      seq INTEGER,
      at INTEGER NOT NULL,
      -- What lists show: JSON of the contract's Snapshot without the columns beside it.
      summary TEXT NOT NULL,
      manifest_sha256 TEXT NOT NULL,
      manifest BLOB NOT NULL
    ) STRICT;
    CREATE INDEX snapshots_by_thread ON snapshots (thread_id, position);
    CREATE INDEX snapshots_by_age ON snapshots (at);
  `,
};
