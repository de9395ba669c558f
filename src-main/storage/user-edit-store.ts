import type { SnapshotChange } from '#contract/workspace.ts';
import type { Connection } from './connection.ts';

/** A file that changed beside the calls of the model. */
export interface UserEdit extends Pick<SnapshotChange, 'path' | 'kind'> {
  /** `user`: in this app. `unknown`: in another program, by the user or not. */
  readonly source: 'user' | 'unknown';
}

export interface StoredUserEdit extends UserEdit {
  /** Of this edit alone: a later one of the same file has another. */
  readonly id: number;
  readonly isNamed: boolean;
  /** Where the model was shown the file; null where it was not. */
  readonly seenIn: string | null;
}

export interface UserEditStore {
  /** Makes all changes of `work`, or none. */
  transaction(work: () => void): void;
  /** Adds an edit that nobody has seen, in place of the one at its path. */
  put(threadId: string, edit: UserEdit): void;
  /** By path. */
  list(threadId: string): StoredUserEdit[];
  markNamed(threadId: string): void;
  setSeen(id: number, seenIn: string): void;
  remove(id: number): void;
}

interface EditRow extends UserEdit {
  readonly id: number;
  readonly is_named: number;
  readonly seen_in: string | null;
}

/** The edits of tasks, each deleted with its task. */
export function openUserEdits(connection: Connection): UserEditStore {
  const put = connection.sql(
    'REPLACE INTO user_edits (thread_id, path, kind, source) VALUES (?, ?, ?, ?)',
  );
  const list = connection.sql<EditRow>(
    `SELECT id, path, kind, source, is_named, seen_in FROM user_edits
     WHERE thread_id = ? ORDER BY path`,
  );
  const markNamed = connection.sql('UPDATE user_edits SET is_named = 1 WHERE thread_id = ?');
  const setSeen = connection.sql('UPDATE user_edits SET seen_in = ? WHERE id = ?');
  const remove = connection.sql('DELETE FROM user_edits WHERE id = ?');
  return {
    transaction: (work) => connection.transaction(work),
    put: (threadId, { path, kind, source }) => {
      put.run(threadId, path, kind, source);
    },
    list: (threadId) =>
      list.all(threadId).map(({ is_named, seen_in: seenIn, ...edit }) => ({
        ...edit,
        isNamed: is_named === 1,
        seenIn,
      })),
    markNamed: (threadId) => {
      markNamed.run(threadId);
    },
    setSeen: (id, seenIn) => {
      setSeen.run(seenIn, id);
    },
    remove: (id) => {
      remove.run(id);
    },
  };
}
