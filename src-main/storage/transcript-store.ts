import type { Connection } from './connection.ts';
import type { TranscriptStore } from './types.ts';

/**
 * A message is stored once, when it is final, and never again with the messages after it: the cost
 * of a round does not grow with the task. `parse` is the check of the room that the messages belong
 * to, and throws on what it does not know.
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
      const messages = rows.map((row) => parse(JSON.parse(row.message)));
      return start < 0
        ? { before: messages, own: [] }
        : { before: messages.slice(0, start), own: messages.slice(start) };
    },
    append: (threadId, runId, items) => {
      connection.transaction(() => {
        for (const item of items) insert.run(threadId, runId, JSON.stringify(item));
      });
    },
  };
}
