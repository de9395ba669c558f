import type { UserFolder } from '#contract/user-folder.ts';
import type { Connection } from './connection.ts';

/** The folder that the user gave to a task, and what was copied: a packed manifest. */
export interface StoredFolder extends Omit<UserFolder, 'applied'> {
  readonly threadId: string;
  readonly baseline: Uint8Array;
}

/** A file that was to be written to the user's folder. */
export interface AppliedFile {
  readonly path: string;
  /** SHA-256 of what it held, and of what it holds then; null for no file. */
  readonly was: string | null;
  readonly becomes: string | null;
  /** The same of what was copied: with another `was`, the user had edited the file. */
  readonly copied: string | null;
}

/** Files that were applied together. Stored before the first is written. */
export interface StoredApplication {
  readonly id: string;
  readonly threadId: string;
  readonly at: number;
  readonly files: readonly AppliedFile[];
}

export interface UserFolderStore {
  put(folder: StoredFolder): void;
  /** Null if the task has none. */
  get(threadId: string): StoredFolder | null;
  setBaseline(threadId: string, baseline: Uint8Array): void;
  /** Stores the application, or replaces the files of a stored one. */
  putApplication(application: StoredApplication): void;
  /** The newest one of a task that is not undone; null if there is none. */
  lastApplication(threadId: string): StoredApplication | null;
  setUndone(id: string, at: number): void;
}

interface FolderRow {
  readonly thread_id: string;
  readonly path: string;
  readonly name: string;
  readonly access: UserFolder['access'];
  readonly given_at: number;
  readonly contents: string;
  readonly baseline: Uint8Array;
}

interface ApplicationRow {
  readonly id: string;
  readonly thread_id: string;
  readonly at: number;
  readonly files: string;
}

export function openUserFolders(connection: Connection): UserFolderStore {
  const insert = connection.sql(
    `INSERT INTO user_folders (thread_id, path, name, access, given_at, contents, baseline)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const select = connection.sql<FolderRow>('SELECT * FROM user_folders WHERE thread_id = ?');
  const setBaseline = connection.sql('UPDATE user_folders SET baseline = ? WHERE thread_id = ?');
  const insertApplication = connection.sql(
    `INSERT INTO applied_changes (id, thread_id, at, files) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET files = excluded.files`,
  );
  const last = connection.sql<ApplicationRow>(
    `SELECT id, thread_id, at, files FROM applied_changes
     WHERE thread_id = ? AND undone_at IS NULL ORDER BY position DESC LIMIT 1`,
  );
  const setUndone = connection.sql('UPDATE applied_changes SET undone_at = ? WHERE id = ?');
  return {
    put: ({ threadId, path, name, access, givenAt, contents, baseline }) => {
      const summary = JSON.stringify(contents);
      insert.run(threadId, path, name, access, givenAt, summary, baseline);
    },
    get: (threadId) => {
      const row = select.get(threadId);
      if (row === undefined) return null;
      const { path, name, access, given_at: givenAt, baseline } = row;
      const contents = JSON.parse(row.contents) as UserFolder['contents'];
      return { threadId, path, name, access, givenAt, contents, baseline };
    },
    setBaseline: (threadId, baseline) => {
      setBaseline.run(baseline, threadId);
    },
    putApplication: ({ id, threadId, at, files }) => {
      insertApplication.run(id, threadId, at, JSON.stringify(files));
    },
    lastApplication: (threadId) => {
      const row = last.get(threadId);
      if (row === undefined) return null;
      const files = JSON.parse(row.files) as StoredApplication['files'];
      return { id: row.id, threadId, at: row.at, files };
    },
    setUndone: (id, at) => {
      setUndone.run(at, id);
    },
  };
}
