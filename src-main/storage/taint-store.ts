import type { Connection } from './connection.ts';
import type { TaintStore } from './types.ts';

export function openTaints(connection: Connection): TaintStore {
  const list = connection.sql<{ source: string }>(
    'SELECT source FROM thread_taint WHERE thread_id = ? ORDER BY source',
  );
  const add = connection.sql(
    'INSERT OR IGNORE INTO thread_taint (thread_id, source) VALUES (?, ?)',
  );
  return {
    sources: (threadId) => list.all(threadId).map(({ source }) => source),
    add: (threadId, source) => {
      add.run(threadId, source);
    },
  };
}
