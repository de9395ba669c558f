import type { RunEvent, RunEventOf } from '#contract/events/run-event.ts';
import type { Connection } from './connection.ts';
import type { EventReader, EventWriter } from './types.ts';

interface EventRow {
  readonly run_id: string;
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly body: string;
}

export function readEvents(connection: Connection): EventReader {
  const page = connection.sql<EventRow>(
    'SELECT * FROM events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?',
  );
  const last = connection.sql<{ seq: number | null }>(
    'SELECT max(seq) AS seq FROM events WHERE run_id = ?',
  );
  const toolCalls = connection.sql<EventRow>(
    "SELECT * FROM events WHERE type = 'tool_call' ORDER BY at DESC LIMIT ?",
  );
  const newestPage = connection.sql<{ url: string }>(
    `SELECT body ->> 'url' AS url FROM events
     WHERE run_id = ? AND type = 'browser_action' AND url IS NOT NULL ORDER BY seq DESC LIMIT 1`,
  );
  return {
    newestPage: (runId) => newestPage.get(runId)?.url ?? null,
    newestToolCalls: (limit) =>
      toolCalls.all(limit).map((row) => toEvent(row) as RunEventOf<'tool_call'>),
    page: (runId, afterSeq, limit) => page.all(runId, afterSeq, limit).map(toEvent),
    lastSeq: (runId) => last.get(runId)?.seq ?? 0,
  };
}

export function writeEvents(connection: Connection): EventWriter {
  const insert = connection.sql(
    'INSERT INTO events (run_id, seq, at, type, body) VALUES (?, ?, ?, ?, ?)',
  );
  return {
    ...readEvents(connection),
    append: (events) => {
      connection.transaction(() => {
        for (const { runId, seq, at, type, ...body } of events) {
          insert.run(runId, seq, at, type, JSON.stringify(body));
        }
      });
    },
  };
}

/**
 * Not validated against the contract: a window replays tens of thousands of events at once. All were written
 * in this schema version, which is checked when the database is opened, and responses to windows are
 * validated when they are sent.
 */
function toEvent(row: EventRow): RunEvent {
  const body = JSON.parse(row.body) as Record<string, unknown>;
  return { runId: row.run_id, seq: row.seq, at: row.at, type: row.type, ...body } as RunEvent;
}
