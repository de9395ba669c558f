import type { Connection } from './connection.ts';
import type { AnswerStore } from './types.ts';

export function openAnswers(connection: Connection): AnswerStore {
  const one = connection.sql<{ answer: string }>(
    'SELECT answer FROM round_answers WHERE run_id = ? AND round = ?',
  );
  const put = connection.sql(
    'INSERT INTO round_answers (run_id, round, answer) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  return {
    find: (runId, round) => {
      const row = one.get(runId, round);
      return row === undefined ? null : JSON.parse(row.answer);
    },
    put: (runId, round, answer) => {
      put.run(runId, round, JSON.stringify(answer));
    },
  };
}
