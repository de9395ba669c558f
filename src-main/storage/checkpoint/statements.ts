import type { Connection, Statement } from '../connection.ts';

export interface CheckpointRow {
  readonly thread_id: string;
  readonly namespace: string;
  readonly checkpoint_id: string;
  readonly parent_id: string | null;
  readonly type: string;
  readonly checkpoint: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface WriteRow {
  readonly task_id: string;
  readonly channel: string;
  readonly type: string;
  readonly value: Uint8Array;
}

export interface ValueRow {
  readonly type: string;
  readonly value: Uint8Array;
}

export interface CheckpointStatements {
  readonly one: Statement<CheckpointRow>;
  readonly latest: Statement<CheckpointRow>;
  /** Parameters: thread, namespace, checkpoint and upper bound, each twice; null matches any. */
  readonly list: Statement<CheckpointRow>;
  readonly put: Statement;
  readonly value: Statement<ValueRow>;
  readonly putValue: Statement;
  readonly writes: Statement<WriteRow>;
  /** What a checkpoint's steps wrote to one channel. */
  readonly writesOf: Statement<WriteRow>;
  readonly addWrite: Statement;
  readonly replaceWrite: Statement;
  readonly deleteCheckpoints: Statement;
  readonly deleteValues: Statement;
  readonly deleteWrites: Statement;
}

const WRITE = `checkpoint_writes
  (thread_id, namespace, checkpoint_id, task_id, position, channel, type, value)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** Ids of checkpoints sort by age. */
export function prepareStatements(connection: Connection): CheckpointStatements {
  const sql = <Row>(text: string): Statement<Row> => connection.sql<Row>(text);
  return {
    one: sql(
      'SELECT * FROM checkpoints WHERE thread_id = ? AND namespace = ? AND checkpoint_id = ?',
    ),
    latest: sql(
      'SELECT * FROM checkpoints WHERE thread_id = ? AND namespace = ? ORDER BY checkpoint_id DESC LIMIT 1',
    ),
    list: sql(
      `SELECT * FROM checkpoints
       WHERE (? IS NULL OR thread_id = ?) AND (? IS NULL OR namespace = ?)
         AND (? IS NULL OR checkpoint_id = ?) AND (? IS NULL OR checkpoint_id < ?)
       ORDER BY thread_id, namespace, checkpoint_id DESC`,
    ),
    put: sql(
      'REPLACE INTO checkpoints (thread_id, namespace, checkpoint_id, parent_id, type, checkpoint, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    value: sql(
      'SELECT type, value FROM checkpoint_values WHERE thread_id = ? AND namespace = ? AND channel = ? AND version = ?',
    ),
    putValue: sql(
      'REPLACE INTO checkpoint_values (thread_id, namespace, channel, version, type, value) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    writes: sql(
      'SELECT * FROM checkpoint_writes WHERE thread_id = ? AND namespace = ? AND checkpoint_id = ? ORDER BY task_id, position',
    ),
    writesOf: sql(
      'SELECT * FROM checkpoint_writes WHERE thread_id = ? AND namespace = ? AND checkpoint_id = ? AND channel = ? ORDER BY task_id, position',
    ),
    addWrite: sql(`INSERT OR IGNORE INTO ${WRITE}`),
    replaceWrite: sql(`REPLACE INTO ${WRITE}`),
    deleteCheckpoints: sql('DELETE FROM checkpoints WHERE thread_id = ?'),
    deleteValues: sql('DELETE FROM checkpoint_values WHERE thread_id = ?'),
    deleteWrites: sql('DELETE FROM checkpoint_writes WHERE thread_id = ?'),
  };
}
