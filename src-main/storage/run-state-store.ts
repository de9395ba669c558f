import type { Connection } from './connection.ts';
import type { RunStateStore } from './types.ts';

export function openRunStates(connection: Connection): RunStateStore {
  const one = connection.sql<{ state: string }>(
    'SELECT state FROM run_states WHERE run_id = ? AND part = ?',
  );
  const parts = connection.sql<{ part: string }>(
    'SELECT part FROM run_states WHERE run_id = ? ORDER BY part',
  );
  const put = connection.sql(
    `INSERT INTO run_states (run_id, part, state) VALUES (?, ?, ?)
     ON CONFLICT (run_id, part) DO UPDATE SET state = excluded.state`,
  );
  return {
    find: (runId, part) => {
      const row = one.get(runId, part);
      return row === undefined ? null : JSON.parse(row.state);
    },
    parts: (runId) => parts.all(runId).map(({ part }) => part),
    put: (runId, part, state) => {
      put.run(runId, part, JSON.stringify(state));
    },
  };
}
