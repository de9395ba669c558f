import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '#main/storage/connection.ts';
import type { JournalCheckpointer } from '#main/storage/journal-checkpointer.ts';
import { memoryJournal } from '../../fakes/memory-journal.ts';

/** The public suite that every checkpointer of LangGraph is held to, over a real database. */
const connections = new WeakMap<JournalCheckpointer, Connection>();

// The suite takes its runner from the globals.
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it });
const { validate } = await import('@langchain/langgraph-checkpoint-validation');

validate({
  checkpointerName: 'JournalCheckpointer',
  createCheckpointer: async () => {
    const { connection, checkpointer } = memoryJournal();
    const created = await checkpointer();
    connections.set(created, connection);
    return created;
  },
  destroyCheckpointer: (checkpointer) => connections.get(checkpointer)?.close(),
});
