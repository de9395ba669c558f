import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SqliteCheckpointer } from '#main/storage/checkpoint/sqlite-checkpointer.ts';
import { Connection } from '#main/storage/connection.ts';
import { migrations } from '#main/storage/migrations/all.ts';

/** The public suite that every checkpointer of LangGraph is held to, over a real database. */
const connections = new WeakMap<SqliteCheckpointer, Connection>();

// The suite takes its runner from the globals.
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it });
const { validate } = await import('@langchain/langgraph-checkpoint-validation');

validate({
  checkpointerName: 'SqliteCheckpointer',
  createCheckpointer: () => {
    const connection = new Connection({ file: ':memory:', dataDir: 'memory', busyTimeoutMs: 0 });
    for (const { sql } of migrations) connection.exec(sql);
    const checkpointer = new SqliteCheckpointer(connection);
    connections.set(checkpointer, connection);
    return checkpointer;
  },
  destroyCheckpointer: (checkpointer) => connections.get(checkpointer)?.close(),
});
