import type { EgressConnection } from '#contract/egress.ts';
import { EGRESS_PAGE_SIZE } from '#contract/egress.ts';
import type { Clock } from '../base/clock.ts';
import type { Connection } from './connection.ts';
import type { EgressStore } from './types.ts';

interface Row {
  readonly id: number;
  readonly at: number;
  readonly ended_at: number | null;
  readonly run_id: string | null;
  readonly actor: EgressConnection['actor'];
  readonly host: string;
  readonly port: number;
  readonly address: string | null;
  readonly verdict: EgressConnection['verdict'];
  readonly reason: EgressConnection['reason'];
  readonly sent_bytes: number;
  readonly received_bytes: number;
}

/**
 * How many lines are kept, for connections that were dialled and for denied ones. Separate limits, so that a
 * program that keeps trying pushes out only denied lines.
 */
const KEPT = { dialled: 100_000, denied: 20_000 };
/** Every so many lines, old ones are deleted. */
const TRIM_EVERY = 1_000;

export function openEgress(connection: Connection, clock: Clock, kept = KEPT): EgressStore {
  const insert = connection.sql<{ id: number }>(
    `INSERT INTO egress_connections (at, ended_at, run_id, actor, host, port, address, verdict, reason)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  );
  const update = connection.sql(
    `UPDATE egress_connections SET ended_at = ?, address = ?, verdict = ?, reason = ?, sent_bytes = ?, received_bytes = ?
     WHERE id = ?`,
  );
  const trim = connection.sql(
    `DELETE FROM egress_connections WHERE (verdict = 'denied') = ? AND id <= (
       SELECT id FROM egress_connections WHERE (verdict = 'denied') = ?
       ORDER BY id DESC LIMIT 1 OFFSET ?)`,
  );
  const newest = connection.sql<Row>(
    'SELECT * FROM egress_connections WHERE id < ? ORDER BY id DESC LIMIT ?',
  );
  const newestOfRun = connection.sql<Row>(
    'SELECT * FROM egress_connections WHERE run_id = ? AND id < ? ORDER BY id DESC LIMIT ?',
  );
  return {
    begin: (line) => {
      const at = clock.now();
      const endedAt = line.verdict === 'denied' ? at : null;
      const { runId, actor, host, port, address, verdict, reason } = line;
      const row = insert.get(at, endedAt, runId, actor, host, port, address, verdict, reason);
      const id = row?.id ?? 0;
      if (id % TRIM_EVERY === 0) {
        trim.run(0, 0, kept.dialled);
        trim.run(1, 1, kept.denied);
      }
      return { ...line, id, at, endedAt, sentBytes: 0, receivedBytes: 0 };
    },
    finish: ({ id, endedAt, address, verdict, reason, sentBytes, receivedBytes }) => {
      update.run(endedAt, address, verdict, reason, sentBytes, receivedBytes, id);
    },
    list: ({ runId, beforeId, limit }) => {
      const before = beforeId ?? Number.MAX_SAFE_INTEGER;
      const count = Math.min(limit ?? EGRESS_PAGE_SIZE, EGRESS_PAGE_SIZE);
      const rows =
        runId === undefined ? newest.all(before, count) : newestOfRun.all(runId, before, count);
      return rows.map(fromRow);
    },
  };
}

/**
 * Ends the lines of connections that were open when the last process was killed. When that was is unknown, so
 * their end is the time of this start.
 */
export function closeAbandonedConnections(connection: Connection, clock: Clock): void {
  connection
    .sql('UPDATE egress_connections SET ended_at = ? WHERE ended_at IS NULL')
    .run(clock.now());
}

function fromRow(row: Row): EgressConnection {
  const { id, at, actor, host, port, address, verdict, reason } = row;
  return {
    ...{ id, at, endedAt: row.ended_at, runId: row.run_id, actor, host, port, address },
    ...{ verdict, reason, sentBytes: row.sent_bytes, receivedBytes: row.received_bytes },
  };
}
