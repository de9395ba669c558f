import type { Migration } from '../migrate.ts';

/**
 * The files that the agent made, as the newest event about each says: the log itself has no index by type. All
 * of it is read once here, which takes less time than the backup before it.
 */
export const artifacts: Migration = {
  version: 15,
  name: 'artifacts',
  sql: `
    CREATE TABLE artifacts (
      -- A file that is made or changed gets a new one: newer changes have greater ids.
      id INTEGER PRIMARY KEY,
      thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
      path TEXT NOT NULL,
      run_id TEXT NOT NULL,
      seq INTEGER NOT NULL,
      origin TEXT NOT NULL,
      at INTEGER NOT NULL,
      size INTEGER NOT NULL,
      is_deleted INTEGER NOT NULL,
      UNIQUE (thread_id, path)
    ) STRICT;

    -- A view without rows, so that stored events and new ones become artifacts by the same rules.
    CREATE VIEW file_changes AS SELECT 0 thread_id, '' run_id, 0 seq, 0 at, '{}' body;
    CREATE TRIGGER changes_become_artifacts INSTEAD OF INSERT ON file_changes BEGIN
      INSERT OR REPLACE INTO artifacts (thread_id, path, run_id, seq, origin, at, size, is_deleted)
        SELECT new.thread_id, new.body ->> 'path', new.run_id, new.seq, new.body ->> 'origin', new.at,
          CAST(new.body ->> 'size' AS INTEGER), 0
        WHERE new.body ->> 'operation' <> 'delete'
          -- The user attached it, or it changed while no call ran.
          AND new.body ->> 'origin' NOT IN ('attachment', 'other');
      UPDATE artifacts
        SET size = iif(new.body ->> 'operation' = 'delete', size, CAST(new.body ->> 'size' AS INTEGER)),
          is_deleted = new.body ->> 'operation' = 'delete'
        WHERE thread_id = new.thread_id AND path = new.body ->> 'path'
          AND (new.body ->> 'operation' = 'delete' OR new.body ->> 'origin' IN ('attachment', 'other'));
    END;

    -- The files of an imported run are not here.
    CREATE TRIGGER new_files_are_artifacts AFTER INSERT ON events WHEN new.type = 'workspace_update' BEGIN
      INSERT INTO file_changes
        SELECT thread_id, id, new.seq, new.at, new.body FROM runs
        WHERE id = new.run_id AND coalesce(origin ->> 'kind', '') <> 'import';
    END;
    INSERT INTO file_changes
      SELECT r.thread_id, e.run_id, e.seq, e.at, e.body FROM events e JOIN runs r ON r.id = e.run_id
      WHERE e.type = 'workspace_update' AND coalesce(r.origin ->> 'kind', '') <> 'import'
        -- A damaged row does not keep the app from opening.
        AND json_valid(e.body) AND e.body ->> 'path' IS NOT NULL AND e.body ->> 'size' IS NOT NULL
      ORDER BY e.at, e.run_id, e.seq;
  `,
};
