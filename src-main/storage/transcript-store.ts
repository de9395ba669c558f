import type { Connection } from './connection.ts';
import type { TranscriptStore } from './types.ts';

/**
 * A message is stored once, when it is final, and not again with later ones: the cost of a round does not
 * grow with the task. `parse` is the validator of the layer that owns the messages; it throws on unknown ones.
 */
export function openTranscripts<Item>(
  connection: Connection,
  parse: (stored: unknown) => Item,
): TranscriptStore<Item> {
  const list = connection.sql<{ message: string }>(
    'SELECT message FROM transcript WHERE thread_id = ? ORDER BY position',
  );
  const listWithRun = connection.sql<{ run_id: string; message: string }>(
    'SELECT run_id, message FROM transcript WHERE thread_id = ? ORDER BY position',
  );
  const insert = connection.sql(
    'INSERT INTO transcript (thread_id, run_id, message) VALUES (?, ?, ?)',
  );
  return {
    list: (threadId) => list.all(threadId).map((row) => parse(JSON.parse(row.message))),
    split: (threadId, runId) => {
      const rows = listWithRun.all(threadId);
      const start = rows.findIndex((row) => row.run_id === runId);
      const read = (row: { readonly message: string }): Item => parse(JSON.parse(row.message));
      if (start < 0) return { before: rows.map(read), own: [] };
      // While a run is parked, a later turn of its thread may add messages: those are not its own.
      const own = rows.filter((row) => row.run_id === runId);
      return { before: rows.slice(0, start).map(read), own: own.map(read) };
    },
    append: (threadId, runId, items) => {
      connection.transaction(() => {
        for (const item of items) insert.run(threadId, runId, JSON.stringify(item));
      });
    },
  };
}
