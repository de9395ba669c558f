import type { Clock } from '../base/clock.ts';
import type { Connection } from './connection.ts';
import type { ContextSummary, SummaryStore } from './types.ts';

export function openSummaries(connection: Connection, clock: Clock): SummaryStore {
  const latest = connection.sql<ContextSummary>(
    'SELECT covers, summary FROM context_summaries WHERE thread_id = ? ORDER BY covers DESC LIMIT 1',
  );
  const put = connection.sql(
    'REPLACE INTO context_summaries (thread_id, covers, summary, created_at) VALUES (?, ?, ?, ?)',
  );
  return {
    latest: (threadId) => latest.get(threadId) ?? null,
    put: (threadId, { covers, summary }) => {
      put.run(threadId, covers, summary, clock.now());
    },
  };
}
