import { z } from 'zod';
import { type Run, RunOptions, RunOrigin } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { RunStatus } from '#contract/vocabulary.ts';
import type { Connection } from './connection.ts';
import { parseStored, type ReadOptions } from './stored-json.ts';
import type { RunReader, RunWriter } from './types.ts';

interface RunRow {
  readonly id: string;
  readonly thread_id: string;
  readonly status: RunStatus;
  readonly prompt: string;
  readonly options: string;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  readonly error: string | null;
  readonly last_seq: number;
  readonly origin: string | null;
}

const StoredError = z.object({ code: z.string(), message: z.string() });

/** The last seq is read from the events themselves: a copy in this table could differ. */
const SELECT = `
  SELECT *, (SELECT coalesce(max(seq), 0) FROM events WHERE run_id = runs.id) AS last_seq
  FROM runs`;

export function readRuns(connection: Connection): RunReader {
  const one = connection.sql<RunRow>(`${SELECT} WHERE id = ?`);
  const all = connection.sql<RunRow>(`${SELECT} ORDER BY created_at DESC, id DESC`);
  const ofThread = connection.sql<RunRow>(`${SELECT} WHERE thread_id = ? ORDER BY created_at, id`);
  return {
    get: (runId) => {
      const row = one.get(runId);
      if (row === undefined) throw unknownRun(runId);
      return toRun(row, { isOne: true });
    },
    list: () => all.all().map((row) => toRun(row)),
    listOfThread: (threadId) => ofThread.all(threadId).map((row) => toRun(row)),
  };
}

export function writeRuns(connection: Connection): RunWriter {
  const insert = connection.sql(
    `INSERT INTO runs
       (id, thread_id, status, prompt, options, created_at, started_at, ended_at, error, origin)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setStatus = connection.sql(
    'UPDATE runs SET status = ?, error = ? WHERE id = ? AND ended_at IS NULL',
  );
  const end = connection.sql(
    'UPDATE runs SET status = ?, ended_at = ?, error = ? WHERE id = ? AND ended_at IS NULL',
  );
  const unfinished = connection.sql<RunRow>(`${SELECT} WHERE ended_at IS NULL ORDER BY id`);
  return {
    ...readRuns(connection),
    insert: (run) => {
      insert.run(
        run.id,
        run.threadId,
        run.status,
        run.prompt,
        JSON.stringify(run.options),
        run.createdAt,
        run.startedAt,
        run.endedAt,
        toStoredError(run.error),
        run.origin === null ? null : JSON.stringify(run.origin),
      );
    },
    setStatus: (runId, status, why = null) => {
      setStatus.run(status, toStoredError(why), runId);
    },
    end: (runId, { status, endedAt, error }) => {
      end.run(status, endedAt, toStoredError(error), runId);
    },
    unfinished: () => unfinished.all().map((row) => toRun(row)),
  };
}

function toStoredError(error: Run['error']): string | null {
  return error === null ? null : JSON.stringify(error);
}

function toRun(row: RunRow, read: ReadOptions = {}): Run {
  return {
    id: row.id,
    threadId: row.thread_id,
    status: row.status,
    prompt: row.prompt,
    options: parseStored(RunOptions, row.options, `the options of ${row.id}`, read),
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    lastSeq: row.last_seq,
    error:
      row.error === null ? null : parseStored(StoredError, row.error, `the error of ${row.id}`),
    origin:
      row.origin === null ? null : parseStored(RunOrigin, row.origin, `the origin of ${row.id}`),
  };
}

function unknownRun(runId: string): AppError {
  return new AppError('NOT_FOUND', `There is no run ${runId}.`, { details: { runId } });
}
