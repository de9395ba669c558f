import type { Clock } from '../base/clock.ts';
import { parseStep } from '../base/step-path.ts';
import type { Connection } from './connection.ts';
import { unreadable } from './stored-json.ts';
import { JOURNAL_KINDS, type JournalEntry, type JournalKind, type RunJournal } from './types.ts';

interface Row {
  readonly position: number;
  readonly run_id: string;
  readonly step: string;
  readonly kind: JournalKind;
  readonly hash: string;
  readonly payload: string;
}

const KINDS = JOURNAL_KINDS.map((kind) => `'${kind}'`).join(', ');
const COLUMNS = 'run_id, step, kind, hash, payload';

export function openJournal(connection: Connection, clock: Clock): RunJournal {
  const select = (where: string) =>
    connection.sql<Row>(`SELECT position, ${COLUMNS} FROM run_journal WHERE ${where}`);
  // No ORDER BY in what each call looks up: SQLite compiles a statement that sorts again at each use.
  const at = select('run_id = ? AND step = ?');
  // With the kinds, it is found by the index alone: a skill may have thousands of entries at its step.
  const ofHash = select(`run_id = ? AND step = ? AND kind IN (${KINDS}) AND hash = ?`);
  const newest = select(
    'position = (SELECT max(position) FROM run_journal WHERE run_id = ? AND step = ? AND kind = ?)',
  );
  const ofKind = select('run_id = ? AND kind = ? ORDER BY position');
  const conversation = connection.sql<Row>(
    `SELECT position, ${COLUMNS} FROM run_journal
     WHERE kind IN ('turn', 'message', 'round')
       AND run_id IN (SELECT id FROM runs WHERE thread_id = ?) ORDER BY position`,
  );
  const lastSource = connection.sql<{ number: number | null }>(
    `SELECT max(CAST(body ->> 'index' AS INTEGER)) number FROM events
     WHERE type = 'source' AND run_id IN (SELECT id FROM runs WHERE thread_id = ?)`,
  );
  const insert = connection.sql(
    `INSERT INTO run_journal (${COLUMNS}, at) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const remove = connection.sql(
    'DELETE FROM run_journal WHERE run_id = ? AND step = ? AND kind = ? AND hash = ?',
  );
  const append: RunJournal['append'] = (runId, { step, kind, hash = '', payload }) => {
    insert.run(runId, step, kind, hash, JSON.stringify(payload), clock.now());
  };
  return {
    at: (runId, step, hash) =>
      (hash === undefined ? at.all(runId, step) : ofHash.all(runId, step, hash))
        .sort((a, b) => a.position - b.position)
        .map(toEntry),
    newest: (runId, step, kind) => {
      const row = newest.get(runId, step, kind);
      return row === undefined ? null : toEntry(row);
    },
    list: (runId, kind) => ofKind.all(runId, kind).map(toEntry),
    conversation: (threadId) => conversation.all(threadId).map(toEntry),
    lastSourceNumber: (threadId) => lastSource.get(threadId)?.number ?? 0,
    append,
    put: (runId, entry) => {
      connection.transaction(() => {
        remove.run(runId, entry.step, entry.kind, entry.hash ?? '');
        append(runId, entry);
      });
    },
  };
}

/** Throws `STORAGE_FAILED`. */
function toEntry({ run_id, step, kind, hash, payload }: Row): JournalEntry {
  try {
    return { runId: run_id, step: parseStep(step), kind, hash, payload: JSON.parse(payload) };
  } catch (cause) {
    throw unreadable(`the ${kind} at step "${step}" of ${run_id}`, cause);
  }
}
