import type { Connection } from '../connection.ts';
import type { NewEntry } from '../types.ts';
import { Damaged, readOld } from './damaged.ts';
import { moveConversations, type OpenRun } from './move-conversations.ts';
import { OldRun, type RunRow } from './old-run.ts';

/**
 * Moves what versions before 10 stored of their runs into the journal. Of runs that have ended: their
 * conversation, plan and sources. Of runs that go on: also answers, effects and progress of skills, so that
 * they are resumed where they were. LangGraph's own checkpoints are left behind: the journal tells what is
 * done.
 */
export function moveToJournal(connection: Connection): void {
  const insert = connection.sql(
    'INSERT INTO run_journal (run_id, step, kind, hash, payload, at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const runs = connection
    .sql<RunRow>('SELECT id, thread_id, origin, options, created_at, ended_at FROM runs')
    .all();
  const open = new Map<string, OpenRun>();
  for (const row of runs) {
    const run = new OldRun(connection, row);
    const append = ({ step, kind, hash = '', payload }: NewEntry): void => {
      const text = payload instanceof Damaged ? payload.text : JSON.stringify(payload);
      insert.run(row.id, step, kind, hash, text, row.created_at);
    };
    for (const entry of run.states()) append(entry);
    if (row.ended_at !== null) continue;
    for (const entry of run.progress()) append(entry);
    open.set(row.id, run.conversation());
    run.renameQuestions();
  }
  moveConversations(connection, open);
  moveSkillSessions(connection, runs);
}

type Session = Record<'movedIn' | 'askedIn', { runId: string; round: number } | null | undefined>;

/** Sessions of Markdown skills named the answers that moved them by number. */
function moveSkillSessions(connection: Connection, runs: readonly RunRow[]): void {
  const rows = connection
    .sql<{ thread_id: string; skill: string; state: string }>(
      'SELECT thread_id, skill, state FROM skill_walks',
    )
    .all();
  const update = connection.sql(
    'UPDATE skill_walks SET state = ? WHERE thread_id = ? AND skill = ?',
  );
  const known = new Map(runs.map((run) => [run.id, run]));
  const placeOf = (place: Session['movedIn']): object | null => {
    const run = place == null ? undefined : known.get(place.runId);
    if (place == null || run === undefined) return null;
    return { runId: run.id, answer: new OldRun(connection, run).answerStep(place.round) };
  };
  for (const { thread_id, skill, state } of rows) {
    const moved = readOld(state, (json) => {
      const session = json as Session;
      const { movedIn, askedIn } = session;
      return {
        ...session,
        ...(movedIn === undefined ? {} : { movedIn: placeOf(movedIn) }),
        ...(askedIn === undefined ? {} : { askedIn: placeOf(askedIn) }),
      };
    });
    // A session that cannot be read stays as it is.
    if (!(moved instanceof Damaged)) update.run(JSON.stringify(moved), thread_id, skill);
  }
}
