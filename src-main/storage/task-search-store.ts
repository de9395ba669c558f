import type { Connection } from './connection.ts';

/** What a passage is of: the user's message, a text of the answer, a tool call or its result, a report. */
export type PassageKind = 'message' | 'answer' | 'call' | 'report';

/** Where a passage is from. */
export interface PassagePlace {
  readonly runId: string;
  readonly seq: number;
  readonly kind: PassageKind;
  /** The message, call or report; empty for the user's message. */
  readonly ref: string;
}

export interface NewPassage extends PassagePlace {
  readonly at: number;
  /** Counts the pieces of a long text. */
  readonly part: number;
  readonly text: string;
}

export interface FoundPassage extends PassagePlace {
  readonly id: number;
  readonly threadId: string;
  readonly at: number;
}

/** An event that is searched, with its text in at most as many characters as were asked for. */
export interface SearchedEvent {
  readonly seq: number;
  readonly at: number;
  readonly type: 'token' | 'tool_call' | 'tool_result' | 'report' | 'complete';
  readonly ref: string;
  readonly text: string;
}

/** A run with something to index after `seq`. */
export interface DueRun {
  readonly runId: string;
  readonly seq: number;
  /** It has ended or rests: nothing that was begun in its log continues. */
  readonly isAtRest: boolean;
  readonly hasEnded: boolean;
}

export interface EventsAfter {
  readonly runId: string;
  readonly seq: number;
  /** Of each text. */
  readonly maxChars: number;
}

/** The index over the words of all tasks; rows go with their run. */
export interface TaskSearchStore {
  /** Does `work` in a transaction that survives the end of the process, but not always a power cut. */
  turn<T>(work: () => T): T;
  /** The newest run with an id below `beforeRunId`; null if there is none. */
  nextDue(beforeRunId: string): DueRun | null;
  isDue(runId: string): boolean;
  /** Ended runs that are not indexed to their end. */
  dueCount(): number;
  /** Events after `seq`, of about a megabyte at most; `upTo` is the last event that was looked at, null at the end. */
  eventsAfter(where: EventsAfter): {
    readonly events: SearchedEvent[];
    readonly upTo: number | null;
  };
  /** The message of the user that begins the run; null for one that repeats another. */
  userMessage(runId: string): { readonly at: number; readonly text: string } | null;
  /** Whether the run has a passage that begins with this text. */
  has(runId: string, text: string): boolean;
  /** Does nothing if the place is indexed already. `toWords` makes of the stored text what the index takes. */
  add(passage: NewPassage, toWords: (text: string) => string): void;
  setDue(runId: string, seq: number): void;
  /** All of the run is indexed. */
  finish(runId: string): void;
  /** Ids of passages that match an FTS5 query, newest first. */
  match(query: string, limit: number): number[];
  /** In no order. */
  places(ids: readonly number[]): FoundPassage[];
  text(id: number): string;
}

/** Passages of one millisecond. */
const IDS_PER_MS = 1024;
/** Sorts after every id of a run. */
export const AFTER_ALL_RUNS = '\u{10ffff}';
const EVENTS_AT_ONCE = 500;
const BYTES_AT_ONCE = 512 * 1024;

const TYPES = "('token', 'tool_call', 'tool_result', 'report', 'complete')";

interface PassageRow {
  readonly id: number;
  readonly run_id: string;
  readonly thread_id: string;
  readonly seq: number;
  readonly kind: PassageKind;
  readonly ref: string;
}

export function openTaskSearch(connection: Connection): TaskSearchStore {
  return { ...readIndex(connection), ...writeIndex(connection), ...readLog(connection) };
}

function readIndex(connection: Connection) {
  // The ids of passages grow with their time, which is the order that the index has anyway.
  const match = connection.sql<{ id: number }>(
    'SELECT rowid id FROM search_words WHERE search_words MATCH ? ORDER BY rowid DESC LIMIT ?',
    // A known secret that is searched for is in no text.
    { exact: true },
  );
  const passages = connection.sql<PassageRow>(
    `SELECT p.id, p.run_id, r.thread_id, p.seq, p.kind, p.ref
     FROM search_passages p JOIN runs r ON r.id = p.run_id
     WHERE p.id IN (SELECT value FROM json_each(?))`,
  );
  const text = connection.sql<{ text: string }>('SELECT text FROM search_passages WHERE id = ?');
  const has = connection.sql<{ id: number }>(
    'SELECT id FROM search_passages WHERE run_id = ? AND text = ? LIMIT 1',
  );
  return {
    match: (query, limit) => match.all(query, limit).map(({ id }) => id),
    text: (id) => text.get(id)?.text ?? '',
    places: (ids) => passages.all(JSON.stringify(ids)).map(toPassage),
    has: (runId, text) => has.get(runId, text) !== undefined,
  } satisfies Partial<TaskSearchStore>;
}

function writeIndex(connection: Connection) {
  const lastId = connection.sql<{ id: number | null }>(
    'SELECT max(id) id FROM search_passages WHERE id BETWEEN ? AND ?',
  );
  const taken = connection.sql<{ id: number }>('SELECT id FROM search_passages WHERE id = ?');
  const insert = connection.sql<{ text: string }>(
    `INSERT INTO search_passages (id, run_id, seq, part, kind, ref, text)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run_id, seq, part) DO NOTHING
     RETURNING text`,
  );
  const insertWords = connection.sql('INSERT INTO search_words (rowid, words) VALUES (?, ?)');
  const setDue = connection.sql('UPDATE search_due SET seq = ? WHERE run_id = ?');
  const finish = connection.sql('DELETE FROM search_due WHERE run_id = ?');
  const freeId = (at: number): number => {
    const first = Math.max(at, 0) * IDS_PER_MS;
    let id = (lastId.get(first, first + IDS_PER_MS - 1)?.id ?? first - 1) + 1;
    while (taken.get(id) !== undefined) id += 1;
    return id;
  };
  return {
    turn: (work) => {
      // A turn that a power cut takes back is done again: nothing waits for the disk.
      connection.pragma('synchronous = NORMAL');
      try {
        return connection.transaction(work);
      } finally {
        connection.pragma('synchronous = FULL');
      }
    },
    add: ({ at, runId, seq, part, kind, ref, text }, toWords) => {
      const id = freeId(at);
      // Without known secrets, which the connection removes.
      const stored = insert.get(id, runId, seq, part, kind, ref, text);
      if (stored !== undefined) insertWords.run(id, toWords(stored.text));
    },
    setDue: (runId, seq) => void setDue.run(seq, runId),
    finish: (runId) => void finish.run(runId),
  } satisfies Pick<TaskSearchStore, 'turn' | 'add' | 'setDue' | 'finish'>;
}

function readLog(connection: Connection) {
  const due = connection.sql<{ run_id: string; seq: number; status: string; ended: number }>(
    `SELECT run_id, seq, status, ended_at IS NOT NULL ended
     FROM search_due CROSS JOIN runs ON runs.id = run_id
     WHERE run_id < ? ORDER BY run_id DESC LIMIT 1`,
  );
  const isDue = connection.sql<{ seq: number }>('SELECT seq FROM search_due WHERE run_id = ?');
  // In this order: few runs are due.
  const dueCount = connection.sql<{ n: number }>(
    'SELECT count(*) n FROM search_due CROSS JOIN runs ON runs.id = run_id WHERE ended_at IS NOT NULL',
  );
  const sizes = connection.sql<{ seq: number; bytes: number }>(
    `SELECT seq, octet_length(body) bytes FROM events
     WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ${EVENTS_AT_ONCE}`,
  );
  // SQLite shortens the texts, so that a large output never becomes a string here.
  const events = connection.sql<Omit<SearchedEvent, 'text'> & { text: string | null }>(
    `SELECT seq, at, type, substr(CASE type
         WHEN 'tool_call' THEN (SELECT group_concat(value, char(10))
           FROM json_tree(events.body, '$.arguments') WHERE type = 'text')
         WHEN 'tool_result' THEN body ->> '$.content'
         WHEN 'report' THEN (body ->> '$.title') || char(10) || (body ->> '$.markdown')
         WHEN 'complete' THEN body ->> '$.answer'
         ELSE body ->> '$.text' END, 1, ?) text,
       coalesce(body ->> '$.messageId', body ->> '$.toolCallId', body ->> '$.reportId', '') ref
     FROM events WHERE run_id = ? AND seq > ? AND seq <= ? AND type IN ${TYPES}
       AND json_valid(body) ORDER BY seq`,
  );
  const message = connection.sql<{ at: number; text: string }>(
    `SELECT messages.created_at at, content text FROM runs JOIN messages USING (thread_id)
     WHERE runs.id = ? AND run_id = runs.id AND role = 'user' ORDER BY position LIMIT 1`,
  );
  return {
    nextDue: (before) => {
      const row = due.get(before);
      if (row === undefined) return null;
      const { run_id: runId, seq, status, ended } = row;
      return { runId, seq, isAtRest: status !== 'running', hasEnded: ended === 1 };
    },
    isDue: (runId) => isDue.get(runId) !== undefined,
    dueCount: () => dueCount.get()?.n ?? 0,
    eventsAfter: ({ runId, seq, maxChars }) => {
      let bytes = 0;
      let upTo: number | null = null;
      for (const event of sizes.all(runId, seq)) {
        bytes += event.bytes;
        if (upTo !== null && bytes > BYTES_AT_ONCE) break;
        upTo = event.seq;
      }
      if (upTo === null) return { events: [], upTo };
      const found = events.all(maxChars, runId, seq, upTo);
      return { events: found.map((event) => ({ ...event, text: event.text ?? '' })), upTo };
    },
    userMessage: (runId) => message.get(runId) ?? null,
  } satisfies Partial<TaskSearchStore>;
}

function toPassage({ run_id: runId, thread_id: threadId, ...row }: PassageRow): FoundPassage {
  return { ...row, runId, threadId, at: Math.floor(row.id / IDS_PER_MS) };
}
