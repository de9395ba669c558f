import { systemClock } from '#main/base/clock.ts';
import { Connection } from '#main/storage/connection.ts';
import { JournalCheckpointer } from '#main/storage/journal-checkpointer.ts';
import { migrations } from '#main/storage/migrations/all.ts';
import { openJournal } from '#main/storage/run-journal.ts';
import type { CommitStep, RunJournal } from '#main/storage/types.ts';

/** The app's own journal and checkpointer, over a database in memory that asks for no runs. */
export function memoryJournal(): {
  readonly connection: Connection;
  readonly journal: RunJournal;
  readonly checkpointer: (commit?: CommitStep) => Promise<JournalCheckpointer>;
} {
  const connection = new Connection({ file: ':memory:', dataDir: ':memory:', busyTimeoutMs: 0 });
  for (const { sql } of migrations) connection.exec(sql);
  connection.pragma('foreign_keys = OFF');
  const journal = openJournal(connection, systemClock);
  return {
    ...{ connection, journal },
    checkpointer: async (commit) => new JournalCheckpointer(journal, connection, commit),
  };
}
