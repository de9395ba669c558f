import type { Thread } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { PolicyLevel, type RunStatus } from '#contract/vocabulary.ts';
import type { Connection } from './connection.ts';
import type { ThreadReader, ThreadWriter } from './types.ts';

interface ThreadRow {
  readonly id: string;
  readonly title: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly status: RunStatus | null;
  readonly pinned_at: number | null;
  readonly archived_at: number | null;
  readonly level: string | null;
}

const SELECT = `
  SELECT id, title, created_at, updated_at, pinned_at, archived_at, level,
    (SELECT status FROM runs WHERE thread_id = threads.id
      ORDER BY created_at DESC, id DESC LIMIT 1) AS status
  FROM threads`;

export function readThreads(connection: Connection): ThreadReader {
  const one = connection.sql<ThreadRow>(`${SELECT} WHERE id = ?`);
  const all = connection.sql<ThreadRow>(`${SELECT} ORDER BY updated_at DESC, id DESC`);
  const matching = connection.sql<ThreadRow>(
    // Sorted afterwards: in the order of the index, each title would be looked up by itself.
    `${SELECT} WHERE instr(title_folded, ?) > 0 ORDER BY +updated_at DESC, +id DESC`,
  );
  return {
    get: (threadId) => {
      const row = one.get(threadId);
      if (row === undefined) throw unknownThread(threadId);
      return toThread(row);
    },
    list: (search = '') => {
      const wanted = fold(search.trim());
      return (wanted === '' ? all.all() : matching.all(wanted)).map(toThread);
    },
  };
}

export function writeThreads(connection: Connection): ThreadWriter {
  const reader = readThreads(connection);
  const insert = connection.sql(
    'INSERT INTO threads (id, title, title_folded, created_at, updated_at) VALUES (?, ?, ?, ?, ?)',
  );
  const rename = connection.sql('UPDATE threads SET title = ?, title_folded = ? WHERE id = ?');
  const setLevel = connection.sql('UPDATE threads SET level = ? WHERE id = ?');
  const touch = connection.sql('UPDATE threads SET updated_at = max(updated_at, ?) WHERE id = ?');
  const marks = {
    pinned: connection.sql('UPDATE threads SET pinned_at = ? WHERE id = ?'),
    archived: connection.sql(
      `UPDATE threads SET archived_at = value, pinned_at = iif(value IS NULL, pinned_at, NULL)
       FROM (SELECT ? value) WHERE id = ?`,
    ),
  };
  const remove = connection.sql('DELETE FROM threads WHERE id = ?');
  return {
    ...reader,
    insert: ({ id, title, createdAt }) => {
      insert.run(id, title, fold(title), createdAt, createdAt);
    },
    rename: (threadId, title) => {
      if (rename.run(title, fold(title), threadId) === 0) throw unknownThread(threadId);
      return reader.get(threadId);
    },
    mark: (threadId, mark, at) => {
      if (marks[mark].run(at, threadId) === 0) throw unknownThread(threadId);
      return reader.get(threadId);
    },
    setLevel: (threadId, level) => {
      if (setLevel.run(level, threadId) === 0) throw unknownThread(threadId);
      return reader.get(threadId);
    },
    touch: (threadId, at) => {
      touch.run(at, threadId);
    },
    delete: (threadId) => {
      if (remove.run(threadId) === 0) throw unknownThread(threadId);
    },
  };
}

/** Ignores case and width in every script: `abc` finds `Ａbc` and `ABC`. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function toThread(row: ThreadRow): Thread {
  // One that a later version stored counts as not chosen.
  const level = safeParse(PolicyLevel, row.level);
  return {
    id: row.id,
    title: row.title,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    status: row.status,
    pinnedAt: row.pinned_at,
    archivedAt: row.archived_at,
    ...(level.success ? { level: level.data } : {}),
  };
}

function unknownThread(threadId: string): AppError {
  return new AppError('NOT_FOUND', `There is no task ${threadId}.`, { details: { threadId } });
}
