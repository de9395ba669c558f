import type { AppTemplate } from '#contract/apps.ts';
import type { Connection } from './connection.ts';

/** What is stored of the app of a task. */
export interface StoredApp {
  /** In the workspace; empty for the workspace itself. */
  readonly folder: string;
  readonly template: AppTemplate | null;
  /** What starts its server; null for what its `package.json` says. */
  readonly command: string | null;
  /** Its server starts again when the task is opened. */
  readonly comesBack: boolean;
  readonly address: { readonly name: string; readonly port: number } | null;
}

export interface TaskAppStore {
  get(threadId: string): StoredApp | null;
  put(threadId: string, app: StoredApp): void;
}

interface AppRow {
  readonly folder: string;
  readonly template: string | null;
  readonly command: string | null;
  readonly comes_back: number;
  readonly preview_name: string | null;
  readonly preview_port: number | null;
}

/** The apps of tasks, each deleted with its task. */
export function openTaskApps(connection: Connection): TaskAppStore {
  const one = connection.sql<AppRow>(
    `SELECT folder, template, command, comes_back, preview_name, preview_port
     FROM task_apps WHERE thread_id = ?`,
  );
  const put = connection.sql(
    `REPLACE INTO task_apps
       (thread_id, folder, template, command, comes_back, preview_name, preview_port)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    get: (threadId) => {
      const row = one.get(threadId);
      if (row === undefined) return null;
      const { folder, command, preview_name: name, preview_port: port } = row;
      return {
        ...{ folder, command },
        template: row.template as AppTemplate | null,
        comesBack: row.comes_back === 1,
        address: name === null || port === null ? null : { name, port },
      };
    },
    put: (threadId, { folder, template, command, comesBack, address }) => {
      put.run(
        ...([threadId, folder, template, command, comesBack ? 1 : 0] as const),
        ...([address?.name ?? null, address?.port ?? null] as const),
      );
    },
  };
}
