import type { Migration } from '../migrate.ts';

/** The list of connections: what left this computer, and what wanted to. */
export const egress: Migration = {
  version: 4,
  name: 'egress',
  sql: `
    -- A line outlives its run and its task: who deletes a task does not unsend what it sent.
    CREATE TABLE egress_connections (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      ended_at INTEGER,
      run_id TEXT,
      actor TEXT NOT NULL,
      host TEXT NOT NULL,
      port INTEGER NOT NULL,
      address TEXT,
      verdict TEXT NOT NULL,
      reason TEXT,
      sent_bytes INTEGER NOT NULL DEFAULT 0,
      received_bytes INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX egress_by_run ON egress_connections (run_id, id);
  `,
};
