import { AppError } from '#contract/errors.ts';
import type { ModelUse } from '#contract/model-use.ts';
import type { Connection } from './connection.ts';

/** A run whose model requests can be summed up; imported ones were made elsewhere. */
export interface RunWithUse {
  readonly runId: string;
  /** When its task was made: events from before are copies of another task's. */
  readonly since: number;
  readonly hasEnded: boolean;
}

/** What the requests of a run to a model cost on one day: days since the epoch, in UTC. */
export interface UseOfDay extends ModelUse {
  readonly day: number;
}

/** The `usage` events of runs, summed up by SQL. */
export interface ModelUseStore {
  /** The runs of a task, or of all. Throws `NOT_FOUND`. */
  runs(threadId?: string): RunWithUse[];
  /** Reads the log of the run: some tenth of a millisecond, with 10,000 events a few. */
  ofRun(run: Pick<RunWithUse, 'runId' | 'since'>): UseOfDay[];
}

const DAY_MS = 86_400_000;

export function openModelUse(connection: Connection): ModelUseStore {
  interface Row {
    readonly id: string;
    readonly created_at: number;
    readonly has_ended: number;
  }
  const select = `
    SELECT runs.id, threads.created_at, runs.ended_at IS NOT NULL AS has_ended
    FROM runs JOIN threads ON threads.id = runs.thread_id
    WHERE runs.origin ->> '$.kind' IS NOT 'import'`;
  const all = connection.sql<Row>(select);
  const ofThread = connection.sql<Row>(`${select} AND runs.thread_id = ?`);
  const thread = connection.sql<{ id: string }>('SELECT id FROM threads WHERE id = ?');
  const part = (name: string): string => `coalesce(body ->> '$.parts.${name}', 0)`;
  const prompt = ['system', 'instructions', 'tools', 'history', 'attachments']
    .map(part)
    .join(' + ');
  const use = connection.sql<UseOfDay>(`
    SELECT at / ${DAY_MS} AS day, body ->> '$.model' AS model, count(*) AS requests,
      sum(coalesce(body ->> '$.promptTokens', ${prompt})) AS promptTokens,
      sum(coalesce(body ->> '$.completionTokens', body ->> '$.completionEstimate', 0)) AS completionTokens,
      sum(body ->> '$.durationMs') AS durationMs,
      sum(body ->> '$.promptTokens' IS NULL OR body ->> '$.completionTokens' IS NULL) AS estimated
    FROM events WHERE run_id = ? AND type = 'usage' AND at >= ? GROUP BY 1, 2`);
  return {
    runs: (threadId) => {
      if (threadId !== undefined && thread.get(threadId) === undefined) {
        throw new AppError('NOT_FOUND', `There is no task ${threadId}.`);
      }
      const rows = threadId === undefined ? all.all() : ofThread.all(threadId);
      return rows.map(({ id, created_at, has_ended }) => ({
        ...{ runId: id, since: created_at, hasEnded: has_ended === 1 },
      }));
    },
    ofRun: ({ runId, since }) => use.all(runId, since),
  };
}
