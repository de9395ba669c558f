import type { Migration } from '../migrate.ts';

/** Files that the user changed, until the model of the task has seen them. */
export const userEdits: Migration = {
  version: 20,
  name: 'user-edits',
  sql: `
    CREATE TABLE user_edits (
      -- Another one for each edit: what was seen is never a later one.
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
      -- In the workspace.
      path TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('created', 'modified', 'deleted')),
      -- 'user': in this app. 'unknown': in another program, by the user or not.
      source TEXT NOT NULL CHECK (source IN ('user', 'unknown')),
      -- Whether a turn of the conversation names it.
      is_named INTEGER NOT NULL DEFAULT 0,
      -- The run and the answer whose call showed the file to the model, which knows it in its next answer.
      seen_in TEXT,
      UNIQUE (thread_id, path)
    ) STRICT;
    -- Whether it has all that the model had done to the files when it last worked on them.
    ALTER TABLE snapshots ADD COLUMN is_complete INTEGER NOT NULL DEFAULT 0;
  `,
};
