import type { Migration } from '../migrate.ts';

/**
 * Columns hold what is searched, sorted or joined; the rest is JSON of the contract's types. Ids sort
 * by age, so rows of one run or task lie together and are appended at the end.
 */
export const initial: Migration = {
  version: 1,
  name: 'initial',
  sql: `
    CREATE TABLE threads (
      id TEXT PRIMARY KEY,
      title TEXT NOT NULL,
      -- The title as it is compared in a search: SQLite itself folds the case of ASCII only.
      title_folded TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX threads_by_update ON threads (updated_at, id);

    CREATE TABLE runs (
      id TEXT PRIMARY KEY,
      thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
      status TEXT NOT NULL,
      prompt TEXT NOT NULL,
      options TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      started_at INTEGER,
      ended_at INTEGER,
      error TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX runs_by_thread ON runs (thread_id, created_at, id);
    CREATE INDEX runs_unfinished ON runs (id) WHERE ended_at IS NULL;

    CREATE TABLE events (
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      type TEXT NOT NULL,
      -- The event without the columns above.
      body TEXT NOT NULL,
      PRIMARY KEY (run_id, seq)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE messages (
      position INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
      run_id TEXT,
      role TEXT NOT NULL,
      content TEXT NOT NULL,
      attachments TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX messages_by_thread ON messages (thread_id, position);

    -- What the model was told and said, apart from what people see.
    CREATE TABLE transcript (
      position INTEGER PRIMARY KEY,
      thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
      run_id TEXT NOT NULL,
      message TEXT NOT NULL
    ) STRICT;
    CREATE INDEX transcript_by_thread ON transcript (thread_id, position);

    CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

    -- Sealed by the operating system; the key is not in this file.
    CREATE TABLE secrets (name TEXT PRIMARY KEY, sealed BLOB NOT NULL) STRICT, WITHOUT ROWID;

    CREATE TABLE approval_rules (
      id TEXT PRIMARY KEY,
      tool_name TEXT NOT NULL,
      pattern TEXT NOT NULL,
      decision TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (tool_name, pattern)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sandbox_proofs (
      kind TEXT PRIMARY KEY,
      fingerprint TEXT NOT NULL,
      probes TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- What the storage notes about itself.
    CREATE TABLE housekeeping (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
};
