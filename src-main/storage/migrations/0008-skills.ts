import type { Migration } from '../migrate.ts';

/** Skills: definitions, sources with their versions, what was approved, what was run, how far a task is in one. */
export const skills: Migration = {
  version: 8,
  name: 'skills',
  sql: `
    CREATE TABLE skill_definitions (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      version TEXT NOT NULL,
      description TEXT NOT NULL,
      category TEXT,
      author TEXT NOT NULL,
      metadata_json TEXT NOT NULL,
      -- The folder of a Markdown skill; empty for others.
      module_path TEXT NOT NULL DEFAULT '',
      -- Of a dynamic skill: the newest version.
      source_code TEXT,
      source_code_hash TEXT,
      enabled INTEGER NOT NULL DEFAULT 1,
      is_builtin INTEGER NOT NULL,
      invocation_count INTEGER NOT NULL DEFAULT 0,
      last_invoked_at INTEGER
    ) STRICT;

    CREATE TABLE skill_versions (
      skill_id TEXT NOT NULL REFERENCES skill_definitions (id) ON DELETE CASCADE,
      version INTEGER NOT NULL,
      language TEXT NOT NULL,
      source_code TEXT NOT NULL,
      source_code_hash TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      approved_at INTEGER,
      -- JSON: capabilities that the person granted to this version.
      granted TEXT NOT NULL DEFAULT '[]',
      PRIMARY KEY (skill_id, version)
    ) STRICT, WITHOUT ROWID;

    -- What the files of a Markdown skill were when the person approved it, for the diff.
    CREATE TABLE skill_approved_files (
      folder TEXT NOT NULL,
      path TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      content BLOB NOT NULL,
      PRIMARY KEY (folder, path)
    ) STRICT, WITHOUT ROWID;
    -- What the front matter of a SKILL.md said when it was read last; JSON.
    CREATE TABLE skill_front_matters (
      folder TEXT PRIMARY KEY,
      -- Of the file: changes when it does.
      stamp TEXT NOT NULL,
      found TEXT NOT NULL
    ) STRICT;
    CREATE TABLE skill_approvals (
      folder TEXT PRIMARY KEY,
      -- Of all files together.
      sha256 TEXT NOT NULL,
      approved_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE skill_executions (
      id TEXT PRIMARY KEY,
      skill_id TEXT NOT NULL,
      run_id TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      thread_id TEXT NOT NULL,
      parent_id TEXT REFERENCES skill_executions (id) ON DELETE CASCADE,
      depth INTEGER NOT NULL,
      status TEXT NOT NULL,
      input TEXT NOT NULL,
      output TEXT,
      -- JSON: code and message.
      error TEXT,
      started_at INTEGER NOT NULL,
      ended_at INTEGER,
      -- JSON: its stages.
      events TEXT NOT NULL DEFAULT '[]'
    ) STRICT;
    CREATE INDEX skill_executions_by_skill ON skill_executions (skill_id, started_at);
    CREATE INDEX skill_executions_by_time ON skill_executions (started_at);
    CREATE INDEX skill_executions_by_run ON skill_executions (run_id);
    CREATE INDEX skill_executions_open ON skill_executions (run_id) WHERE ended_at IS NULL;
    CREATE INDEX skill_executions_by_parent ON skill_executions (parent_id);

    -- What an execution did already: a later life gets the result, or the same number to do it under.
    CREATE TABLE skill_journal (
      execution_id TEXT NOT NULL REFERENCES skill_executions (id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      number INTEGER NOT NULL,
      -- JSON; null while it is not done.
      result TEXT,
      PRIMARY KEY (execution_id, key)
    ) STRICT, WITHOUT ROWID;
    -- Once it has ended, nobody asks.
    CREATE TRIGGER skill_journal_goes_at_its_end AFTER UPDATE OF ended_at ON skill_executions
    WHEN new.ended_at IS NOT NULL BEGIN
      DELETE FROM skill_journal WHERE execution_id = new.id;
    END;

    -- How far a task is in a Markdown skill; lives as long as the task.
    CREATE TABLE skill_walks (
      thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
      skill TEXT NOT NULL,
      -- Newest first.
      updated_at INTEGER NOT NULL,
      state TEXT NOT NULL,
      PRIMARY KEY (thread_id, skill)
    ) STRICT, WITHOUT ROWID;
  `,
};
