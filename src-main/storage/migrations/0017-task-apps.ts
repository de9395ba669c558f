import type { Migration } from '../migrate.ts';

/** The app that a task builds, so that its server and its address are there again when the task is opened. */
export const taskApps: Migration = {
  version: 17,
  name: 'task-apps',
  sql: `
    CREATE TABLE task_apps (
      thread_id TEXT PRIMARY KEY REFERENCES threads (id) ON DELETE CASCADE,
      -- Of the workspace; empty for the workspace itself.
      folder TEXT NOT NULL,
      -- Null for a project that came from elsewhere.
      template TEXT,
      -- What starts the server; null for what its package.json says.
      command TEXT,
      comes_back INTEGER NOT NULL,
      -- The address of its preview, once there was one: what the page stored in the browser belongs to it.
      preview_name TEXT,
      preview_port INTEGER
    ) STRICT;
  `,
};
