import { AppError } from '#contract/errors.ts';
import type { Connection } from './connection.ts';
import type { SnapshotStore, StoredSnapshot } from './types.ts';

interface SnapshotRow {
  readonly id: string;
  readonly thread_id: string;
  readonly run_id: string | null;
  readonly seq: number | null;
  readonly at: number;
  readonly summary: string;
  readonly manifest_sha256: string;
  readonly own_sha256: string | null;
}

const SELECT =
  'SELECT id, thread_id, run_id, seq, at, summary, manifest_sha256, own_sha256 FROM snapshots WHERE thread_id = ?';

/** The newest snapshot of a task with an unfinished run: its files may be restored from it. */
const NEEDED = `
  position = (SELECT max(position) FROM snapshots newer WHERE newer.thread_id = snapshots.thread_id)
  AND EXISTS (SELECT 1 FROM runs
    WHERE runs.thread_id = snapshots.thread_id AND runs.ended_at IS NULL)`;

export function openSnapshots(connection: Connection): SnapshotStore {
  const insert = connection.sql(
    `INSERT INTO snapshots
       (id, thread_id, run_id, seq, at, summary, manifest_sha256, own_sha256, manifest)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const all = connection.sql<SnapshotRow>(`${SELECT} ORDER BY position DESC`);
  const one = connection.sql<SnapshotRow>(`${SELECT} AND id = ?`);
  const newest = connection.sql<SnapshotRow>(`${SELECT} ORDER BY position DESC LIMIT 1`);
  const setComplete = connection.sql(
    'UPDATE snapshots SET is_complete = ? WHERE position = (SELECT max(position) FROM snapshots WHERE thread_id = ?)',
  );
  const isComplete = connection.sql<{ is_complete: number }>(
    'SELECT is_complete FROM snapshots WHERE thread_id = ? ORDER BY position DESC LIMIT 1',
  );
  // If a run was interrupted and resumed, the first snapshot of a step is the one taken right after it.
  const ofRun = connection.sql<SnapshotRow>(
    `${SELECT} AND run_id = ? AND seq <= ? ORDER BY seq DESC, position LIMIT 1`,
  );
  // A run whose files equal the newest snapshot when it starts takes none of its own.
  const beforeRun = connection.sql<SnapshotRow>(
    `${SELECT} AND at <= (SELECT created_at FROM runs WHERE id = ?) ORDER BY position DESC LIMIT 1`,
  );
  const manifest = connection.sql<{ manifest: Uint8Array }>(
    'SELECT manifest FROM snapshots WHERE id = ?',
  );
  const lastStep = connection.sql<{ seq: number }>(
    "SELECT seq FROM events WHERE run_id = ? AND type = 'tool_result' ORDER BY seq DESC LIMIT 1",
  );
  const ids = connection.sql<{ id: string }>('SELECT id FROM snapshots ORDER BY position');
  const expireOld = connection.sql(`DELETE FROM snapshots WHERE at < ? AND NOT (${NEEDED})`);
  const expireAll = connection.sql('DELETE FROM snapshots WHERE at < ?');
  const orNull = (row: SnapshotRow | undefined): StoredSnapshot | null =>
    row === undefined ? null : toSnapshot(row);
  return {
    put: ({ id, threadId, runId, seq, at, manifestSha256, ownSha256, ...summary }, packed) => {
      insert.run(
        ...[id, threadId, runId, seq, at],
        JSON.stringify(summary),
        ...[manifestSha256, ownSha256, packed],
      );
    },
    list: (threadId) => all.all(threadId).map(toSnapshot),
    get: (threadId, snapshotId) => {
      const row = one.get(threadId, snapshotId);
      if (row !== undefined) return toSnapshot(row);
      throw new AppError('NOT_FOUND', `This task has no snapshot "${snapshotId}".`);
    },
    newest: (threadId) => orNull(newest.get(threadId)),
    setComplete: (threadId, complete) => {
      setComplete.run(complete ? 1 : 0, threadId);
    },
    isComplete: (threadId) => isComplete.get(threadId)?.is_complete === 1,
    atStep: ({ threadId, runId, seq }) =>
      orNull(ofRun.get(threadId, runId, seq) ?? beforeRun.get(threadId, runId)),
    manifest: (snapshotId) => {
      const row = manifest.get(snapshotId);
      if (row !== undefined) return row.manifest;
      throw new AppError('NOT_FOUND', 'This snapshot was removed.');
    },
    lastStep: (runId) => lastStep.get(runId)?.seq ?? 0,
    ids: () => ids.all().map(({ id }) => id),
    expire: ({ before, all: everything }) => (everything ? expireAll : expireOld).run(before),
  };
}

function toSnapshot(row: SnapshotRow): StoredSnapshot {
  const summary = JSON.parse(row.summary) as Omit<
    StoredSnapshot,
    'id' | 'threadId' | 'runId' | 'seq' | 'at' | 'manifestSha256' | 'ownSha256'
  >;
  const { id, thread_id: threadId, run_id: runId, seq, at } = row;
  const { manifest_sha256: manifestSha256, own_sha256: ownSha256 } = row;
  return { id, threadId, runId, seq, at, ...summary, manifestSha256, ownSha256 };
}
