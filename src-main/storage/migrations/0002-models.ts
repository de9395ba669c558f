import type { Migration } from '../migrate.ts';

/** What was learnt of models, and what long conversations were summed up to. */
export const models: Migration = {
  version: 2,
  name: 'models',
  sql: `
    CREATE TABLE model_profiles (
      provider TEXT NOT NULL,
      name TEXT NOT NULL,
      profile TEXT NOT NULL,
      PRIMARY KEY (provider, name)
    ) STRICT, WITHOUT ROWID;

    -- The first "covers" messages of a transcript, as later requests are told of them. A transcript
    -- only grows, so a summary stays true; a longer one stands beside the shorter ones before it.
    CREATE TABLE context_summaries (
      thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
      covers INTEGER NOT NULL,
      summary TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (thread_id, covers)
    ) STRICT, WITHOUT ROWID;
  `,
};
