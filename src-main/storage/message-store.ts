import { Message } from '#contract/entities.ts';
import type { Connection } from './connection.ts';
import { parseStored } from './stored-json.ts';
import type { MessageReader, MessageWriter } from './types.ts';

interface MessageRow {
  readonly id: string;
  readonly thread_id: string;
  readonly run_id: string | null;
  readonly role: Message['role'];
  readonly content: string;
  readonly attachments: string;
  readonly created_at: number;
}

export function readMessages(connection: Connection): MessageReader {
  const ofThread = connection.sql<MessageRow>(
    'SELECT * FROM messages WHERE thread_id = ? ORDER BY position',
  );
  const ofRun = connection.sql<MessageRow>(
    `SELECT messages.* FROM runs JOIN messages USING (thread_id)
      WHERE runs.id = ? AND messages.run_id = runs.id ORDER BY position`,
  );
  return {
    listOfThread: (threadId) => ofThread.all(threadId).map(toMessage),
    listOfRun: (runId) => ofRun.all(runId).map(toMessage),
  };
}

export function writeMessages(connection: Connection): MessageWriter {
  const insert = connection.sql(
    `INSERT INTO messages (id, thread_id, run_id, role, content, attachments, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    ...readMessages(connection),
    insert: (message) => {
      insert.run(
        message.id,
        message.threadId,
        message.runId,
        message.role,
        message.content,
        JSON.stringify(message.attachments),
        message.createdAt,
      );
    },
  };
}

function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    threadId: row.thread_id,
    runId: row.run_id,
    role: row.role,
    content: row.content,
    attachments: parseStored(
      Message.shape.attachments,
      row.attachments,
      `the attachments of ${row.id}`,
    ),
    createdAt: row.created_at,
  };
}
