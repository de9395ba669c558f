import type { Connection } from './connection.ts';
import type { RunCopier } from './types.ts';

/** Copies within SQL: a log of tens of thousands of events never passes through JavaScript. */
export function openRunCopier(connection: Connection): RunCopier {
  const events = connection.sql(
    `INSERT INTO events (run_id, seq, at, type, body)
     SELECT ?, seq, at, type, body FROM events WHERE run_id = ? AND seq <= ?`,
  );
  const copied = `INSERT INTO run_journal (run_id, step, kind, hash, payload, at)
     SELECT ?, step, kind, hash, payload, at FROM run_journal WHERE run_id = ?`;
  const entry = connection.sql(`${copied} AND step = ? AND kind = ? ORDER BY position`);
  // "." is the character after "-". Calls within a call are not part of the conversation.
  const results = connection.sql(
    `${copied} AND step > ? || '/call-' AND step < ? || '/call.'
       AND instr(substr(step, length(?) + 2), '/') = 0 AND kind = 'result' ORDER BY position`,
  );
  const taint = connection.sql(
    'INSERT OR IGNORE INTO thread_taint (thread_id, source) SELECT ?, source FROM thread_taint WHERE thread_id = ?',
  );
  const folder = connection.sql(
    `INSERT INTO user_folders (thread_id, path, name, access, given_at, contents, baseline)
     SELECT ?, path, name, access, given_at, contents, baseline FROM user_folders WHERE thread_id = ?`,
  );
  return {
    events: ({ from, to, upToSeq }) => {
      events.run(to, from, upToSeq);
    },
    conversation: ({ from, to, entries }) => {
      for (const { step, kind } of entries) {
        if (kind === 'round') {
          entry.run(to, from, step, 'answer');
          results.run(to, from, step, step, step);
        }
        entry.run(to, from, step, kind);
      }
    },
    taint: (from, to) => {
      taint.run(to, from);
    },
    folder: (from, to) => {
      folder.run(to, from);
    },
  };
}
