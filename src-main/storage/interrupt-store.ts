import { InterruptResponse } from '#contract/events/hitl.ts';
import type { Clock } from '../base/clock.ts';
import type { Connection } from './connection.ts';
import { parseStored } from './stored-json.ts';
import type { InterruptStore, StoredInterrupt } from './types.ts';

interface InterruptRow {
  readonly id: string;
  readonly run_id: string;
  readonly subject: string;
  readonly question: string;
  readonly asked_at: number;
  readonly response: string | null;
}

/** `parse` is the validator of the layer that owns the questions. */
export function openInterrupts<Question>(
  connection: Connection,
  { clock, parse }: { readonly clock: Clock; readonly parse: (stored: unknown) => Question },
): InterruptStore<Question> {
  const bySubject = connection.sql<InterruptRow>(
    'SELECT * FROM interrupts WHERE run_id = ? AND subject = ?',
  );
  const byId = connection.sql<InterruptRow>('SELECT * FROM interrupts WHERE id = ?');
  const open = connection.sql<InterruptRow>(
    'SELECT * FROM interrupts WHERE run_id = ? AND response IS NULL ORDER BY asked_at, id',
  );
  const allOpen = connection.sql<InterruptRow>(
    `SELECT interrupts.* FROM interrupts JOIN runs ON runs.id = run_id
     WHERE response IS NULL AND ended_at IS NULL ORDER BY asked_at, interrupts.id`,
  );
  const insert = connection.sql(
    'INSERT INTO interrupts (id, run_id, subject, question, asked_at) VALUES (?, ?, ?, ?, ?)',
  );
  const answer = connection.sql(
    'UPDATE interrupts SET response = ?, responder = ?, answered_at = ? WHERE id = ? AND response IS NULL',
  );
  const toInterrupt = (row: InterruptRow): StoredInterrupt<Question> => ({
    id: row.id,
    runId: row.run_id,
    subject: row.subject,
    question: parse(JSON.parse(row.question)),
    askedAt: row.asked_at,
    response:
      row.response === null
        ? null
        : parseStored(InterruptResponse, row.response, `the answer to ${row.id}`),
  });
  const one = (row: InterruptRow | undefined): StoredInterrupt<Question> | null =>
    row === undefined ? null : toInterrupt(row);
  return {
    find: (runId, subject) => one(bySubject.get(runId, subject)),
    get: (id) => one(byId.get(id)),
    open: () => allOpen.all().map(toInterrupt),
    openOf: (runId) => open.all(runId).map(toInterrupt),
    put: ({ id, runId, subject, question }) => {
      insert.run(id, runId, subject, JSON.stringify(question), clock.now());
    },
    answer: (id, response, by) => answer.run(JSON.stringify(response), by, clock.now(), id) > 0,
  };
}
