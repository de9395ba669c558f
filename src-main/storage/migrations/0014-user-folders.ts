import type { Migration } from '../migrate.ts';

/** The folders that the user gave to tasks, and what was written to them. */
export const userFolders: Migration = {
  version: 14,
  name: 'user-folders',
  sql: `
    CREATE TABLE user_folders (
      thread_id TEXT PRIMARY KEY REFERENCES threads (id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      name TEXT NOT NULL,
      access TEXT NOT NULL,
      given_at INTEGER NOT NULL,
      contents TEXT NOT NULL,
      baseline BLOB NOT NULL
    ) STRICT;
    CREATE TABLE applied_changes (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
      at INTEGER NOT NULL,
      files TEXT NOT NULL,
      undone_at INTEGER
    ) STRICT;
    CREATE INDEX applied_changes_of_thread ON applied_changes (thread_id, position);
  `,
};
