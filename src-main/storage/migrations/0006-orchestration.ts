import type { Migration } from '../migrate.ts';

/** How far a run's plan and its research are; steps of a plan have checkpoints of their own. */
export const orchestration: Migration = {
  version: 6,
  name: 'orchestration',
  sql: `
    -- JSON, checked by whoever put it in. It stays when the run has ended: plans and sources are looked at later.
    CREATE TABLE run_states (
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      -- "plan", or "research 3" for the research of lane 3.
      part TEXT NOT NULL,
      state TEXT NOT NULL,
      PRIMARY KEY (run_id, part)
    ) STRICT, WITHOUT ROWID;

    -- Lanes are stored as "RUN/3", and "0" is the character after "/".
    DROP TRIGGER run_checkpoints_go_at_its_end;
    CREATE TRIGGER run_checkpoints_go_at_its_end AFTER UPDATE OF ended_at ON runs
    WHEN new.ended_at IS NOT NULL BEGIN
      DELETE FROM checkpoints WHERE thread_id = new.id
        OR (thread_id > new.id || '/' AND thread_id < new.id || '0');
      DELETE FROM checkpoint_values WHERE thread_id = new.id
        OR (thread_id > new.id || '/' AND thread_id < new.id || '0');
      DELETE FROM checkpoint_writes WHERE thread_id = new.id
        OR (thread_id > new.id || '/' AND thread_id < new.id || '0');
      DELETE FROM round_answers WHERE run_id = new.id;
    END;

    DROP TRIGGER run_checkpoints_go_with_it;
    CREATE TRIGGER run_checkpoints_go_with_it AFTER DELETE ON runs BEGIN
      DELETE FROM checkpoints WHERE thread_id = old.id
        OR (thread_id > old.id || '/' AND thread_id < old.id || '0');
      DELETE FROM checkpoint_values WHERE thread_id = old.id
        OR (thread_id > old.id || '/' AND thread_id < old.id || '0');
      DELETE FROM checkpoint_writes WHERE thread_id = old.id
        OR (thread_id > old.id || '/' AND thread_id < old.id || '0');
    END;
  `,
};
