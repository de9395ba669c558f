import { SqliteCheckpointer } from '#main/storage/checkpoint/sqlite-checkpointer.ts';
import { Connection } from '#main/storage/connection.ts';
import { migrations } from '#main/storage/migrations/all.ts';
import type { CommitStep } from '#main/storage/types.ts';

/** The app's own checkpointer, over a database in memory. */
export async function memoryCheckpointer(commit: CommitStep): Promise<SqliteCheckpointer> {
  const connection = new Connection({ file: ':memory:', dataDir: ':memory:', busyTimeoutMs: 0 });
  for (const { sql } of migrations) connection.exec(sql);
  return new SqliteCheckpointer(connection, commit);
}
