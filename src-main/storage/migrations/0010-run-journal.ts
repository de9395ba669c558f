import type { Migration } from '../migrate.ts';
import { moveToJournal } from './move-to-journal.ts';

/** One journal of what runs have done, in place of seven tables that each had a part of it. */
export const runJournal: Migration = {
  version: 10,
  name: 'run journal',
  sql: `
    CREATE TABLE run_journal (
      position INTEGER PRIMARY KEY,
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      -- Where in the work of the run: "5/call-1"; empty for the run itself.
      step TEXT NOT NULL,
      kind TEXT NOT NULL,
      -- Tells apart entries of one kind at a step, such as calls by the hash of their arguments.
      hash TEXT NOT NULL,
      -- JSON.
      payload TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX run_journal_by_step ON run_journal (run_id, step, kind, hash);

    -- A run that ended does not go on: how far its graphs and skills were is not asked again.
    CREATE TRIGGER run_progress_goes_at_its_end AFTER UPDATE OF ended_at ON runs
    WHEN new.ended_at IS NOT NULL BEGIN
      DELETE FROM run_journal WHERE run_id = new.id
        AND kind IN ('work', 'checkpoint', 'channel', 'write');
    END;
  `,
  convert: moveToJournal,
};

/** What the journal replaced. */
export const beforeJournal: Migration = {
  version: 11,
  name: 'without the tables before the run journal',
  sql: `
    DROP TRIGGER run_checkpoints_go_at_its_end;
    DROP TRIGGER run_checkpoints_go_with_it;
    DROP TRIGGER skill_journal_goes_at_its_end;
    DROP TABLE checkpoint_writes;
    DROP TABLE checkpoint_values;
    DROP TABLE checkpoints;
    DROP TABLE round_answers;
    DROP TABLE tool_ledger;
    DROP TABLE run_states;
    DROP TABLE skill_journal;
    DROP TABLE transcript;
  `,
};
