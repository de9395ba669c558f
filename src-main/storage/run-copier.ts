import type { Connection } from './connection.ts';
import type { RunCopier } from './types.ts';

/** Copies within SQL: a log of tens of thousands of events never passes through JavaScript. */
export function openRunCopier(connection: Connection): RunCopier {
  const events = connection.sql(
    `INSERT INTO events (run_id, seq, at, type, body)
     SELECT ?, seq, at, type, body FROM events WHERE run_id = ? AND seq <= ?`,
  );
  const transcript = connection.sql(
    `INSERT INTO transcript (thread_id, run_id, message)
     SELECT ?, ?, message FROM transcript
     WHERE thread_id = ? AND run_id = ? ORDER BY position LIMIT ?`,
  );
  const taint = connection.sql(
    'INSERT OR IGNORE INTO thread_taint (thread_id, source) SELECT ?, source FROM thread_taint WHERE thread_id = ?',
  );
  return {
    events: ({ from, to, upToSeq }) => {
      events.run(to, from, upToSeq);
    },
    transcript: ({ from, to, items }) => {
      transcript.run(to.threadId, to.runId, from.threadId, from.runId, items);
    },
    taint: (from, to) => {
      taint.run(to, from);
    },
  };
}
