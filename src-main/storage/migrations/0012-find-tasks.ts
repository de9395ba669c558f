import type { Migration } from '../migrate.ts';

/**
 * Search over the words of all tasks, and tasks that are pinned or archived. Stored runs are only noted here:
 * the app indexes them later, in small turns, because a large database would not open for minutes.
 */
export const findTasks: Migration = {
  version: 12,
  name: 'find tasks',
  sql: `
    ALTER TABLE threads ADD COLUMN pinned_at INTEGER;
    ALTER TABLE threads ADD COLUMN archived_at INTEGER;

    -- What was said and done in runs, as it is searched.
    CREATE TABLE search_passages (
      -- Its time in milliseconds times 1024, and a number: newer passages have greater ids.
      id INTEGER PRIMARY KEY,
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      -- The event that it begins at; 0 for the user's message.
      seq INTEGER NOT NULL,
      -- Counts the pieces of a long text.
      part INTEGER NOT NULL,
      kind TEXT NOT NULL,
      -- What a window finds it by: a message, a call, a report.
      ref TEXT NOT NULL,
      text TEXT NOT NULL,
      UNIQUE (run_id, seq, part)
    ) STRICT;

    -- Only the index: the text is in search_passages. Scripts without spaces are indexed as pairs of characters.
    CREATE VIRTUAL TABLE search_words USING fts5(
      words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
    );
    CREATE TRIGGER search_words_go_with_passages AFTER DELETE ON search_passages BEGIN
      DELETE FROM search_words WHERE rowid = old.id;
    END;

    -- Runs with events after seq that are not indexed yet: every run, until it has ended and all of it is.
    CREATE TABLE search_due (
      run_id TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
      seq INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER new_runs_are_searched AFTER INSERT ON runs BEGIN
      INSERT INTO search_due VALUES (new.id, 0);
    END;
    INSERT INTO search_due SELECT id, 0 FROM runs;
  `,
};
