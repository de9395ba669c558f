import type { Migration } from '../migrate.ts';

/** What a run needs to go on after its process was killed: steps, effects, open questions. */
export const durableRuns: Migration = {
  version: 3,
  name: 'durable runs',
  sql: `
    -- LangGraph's checkpoints. Its "thread" is our run.
    CREATE TABLE checkpoints (
      thread_id TEXT NOT NULL,
      namespace TEXT NOT NULL,
      checkpoint_id TEXT NOT NULL,
      parent_id TEXT,
      type TEXT NOT NULL,
      checkpoint BLOB NOT NULL,
      metadata BLOB NOT NULL,
      PRIMARY KEY (thread_id, namespace, checkpoint_id)
    ) STRICT, WITHOUT ROWID;

    -- Values of channels by version: a checkpoint holds only versions, so that what did not change is
    -- not written again.
    CREATE TABLE checkpoint_values (
      thread_id TEXT NOT NULL,
      namespace TEXT NOT NULL,
      channel TEXT NOT NULL,
      version TEXT NOT NULL,
      type TEXT NOT NULL,
      value BLOB NOT NULL,
      PRIMARY KEY (thread_id, namespace, channel, version)
    ) STRICT, WITHOUT ROWID;

    -- What steps gave since their checkpoint: a step whose row is here is not done again.
    CREATE TABLE checkpoint_writes (
      thread_id TEXT NOT NULL,
      namespace TEXT NOT NULL,
      checkpoint_id TEXT NOT NULL,
      task_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      channel TEXT NOT NULL,
      type TEXT NOT NULL,
      value BLOB NOT NULL,
      PRIMARY KEY (thread_id, namespace, checkpoint_id, task_id, position)
    ) STRICT, WITHOUT ROWID;

    -- What a model answered in a round whose calls are not all done: on disk before the first of them.
    CREATE TABLE round_answers (
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      round INTEGER NOT NULL,
      answer TEXT NOT NULL,
      PRIMARY KEY (run_id, round)
    ) STRICT, WITHOUT ROWID;

    -- One row an effect: put before it, completed after it.
    CREATE TABLE tool_ledger (
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      round INTEGER NOT NULL,
      call_index INTEGER NOT NULL,
      arguments_sha256 TEXT NOT NULL,
      tool_name TEXT NOT NULL,
      effect TEXT NOT NULL,
      intended_at INTEGER NOT NULL,
      -- How often it was about to happen: an answer about one attempt says nothing about the next.
      attempts INTEGER NOT NULL DEFAULT 1,
      -- What was there before the effect, as its tool describes it; JSON.
      before TEXT,
      -- The result, once the effect has happened.
      output TEXT,
      done_at INTEGER,
      PRIMARY KEY (run_id, round, call_index, arguments_sha256)
    ) STRICT, WITHOUT ROWID;

    -- Questions to the person, and what they answered.
    CREATE TABLE interrupts (
      id TEXT PRIMARY KEY,
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      -- Finds the question again when the step that asks is done again.
      subject TEXT NOT NULL,
      question TEXT NOT NULL,
      asked_at INTEGER NOT NULL,
      response TEXT,
      responder TEXT,
      answered_at INTEGER,
      UNIQUE (run_id, subject)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX interrupts_open ON interrupts (run_id) WHERE response IS NULL;

    -- What of other parties came into a task: high risk is asked about again from then on.
    CREATE TABLE thread_taint (
      thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
      source TEXT NOT NULL,
      PRIMARY KEY (thread_id, source)
    ) STRICT, WITHOUT ROWID;

    -- What a run was made from: JSON, null for a plain turn.
    ALTER TABLE runs ADD COLUMN origin TEXT;

    CREATE TABLE rules (
      id TEXT PRIMARY KEY,
      tool_name TEXT NOT NULL,
      match TEXT NOT NULL,
      pattern TEXT NOT NULL,
      decision TEXT NOT NULL,
      -- Null: for every task.
      thread_id TEXT REFERENCES threads (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX rules_by_pattern
      ON rules (tool_name, match, pattern, coalesce(thread_id, ''));
    INSERT INTO rules (id, tool_name, match, pattern, decision, created_at)
      SELECT id, tool_name, 'arguments', pattern, decision, created_at FROM approval_rules;
    DROP TABLE approval_rules;

    -- For trying a rule against what was called lately.
    CREATE INDEX events_tool_calls ON events (at) WHERE type = 'tool_call';

    -- A run that ended does not go on: its steps are in its conversation.
    CREATE TRIGGER run_checkpoints_go_at_its_end AFTER UPDATE OF ended_at ON runs
    WHEN new.ended_at IS NOT NULL BEGIN
      DELETE FROM checkpoints WHERE thread_id = new.id;
      DELETE FROM checkpoint_values WHERE thread_id = new.id;
      DELETE FROM checkpoint_writes WHERE thread_id = new.id;
      DELETE FROM round_answers WHERE run_id = new.id;
    END;

    CREATE TRIGGER run_checkpoints_go_with_it AFTER DELETE ON runs BEGIN
      DELETE FROM checkpoints WHERE thread_id = old.id;
      DELETE FROM checkpoint_values WHERE thread_id = old.id;
      DELETE FROM checkpoint_writes WHERE thread_id = old.id;
    END;
  `,
};
