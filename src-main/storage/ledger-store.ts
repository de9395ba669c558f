import type { Clock } from '../base/clock.ts';
import type { Connection } from './connection.ts';
import type { LedgerKey, LedgerStore } from './types.ts';

interface EntryRow {
  readonly output: string | null;
  readonly before: string | null;
  readonly attempts: number;
}

export function openLedger(connection: Connection, clock: Clock): LedgerStore {
  const where = 'run_id = ? AND round = ? AND call_index = ? AND arguments_sha256 = ?';
  const one = connection.sql<EntryRow>(
    `SELECT output, before, attempts FROM tool_ledger WHERE ${where}`,
  );
  const intend = connection.sql(
    `INSERT INTO tool_ledger
       (run_id, round, call_index, arguments_sha256, tool_name, effect, before, intended_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET intended_at = excluded.intended_at, attempts = attempts + 1,
       output = NULL, done_at = NULL`,
  );
  const finish = connection.sql(`UPDATE tool_ledger SET output = ?, done_at = ? WHERE ${where}`);
  return {
    find: (key) => {
      const row = one.get(...values(key));
      if (row === undefined) return null;
      return row.output === null
        ? {
            state: 'intended',
            before: row.before === null ? null : (JSON.parse(row.before) as unknown),
            attempts: row.attempts,
          }
        : { state: 'done', output: JSON.parse(row.output) as unknown };
    },
    intend: (key, { toolName, effect, before }) => {
      const stored = before === null ? null : JSON.stringify(before);
      intend.run(...values(key), toolName, effect, stored, clock.now());
    },
    finish: (key, output) => {
      finish.run(JSON.stringify(output), clock.now(), ...values(key));
    },
  };
}

function values(key: LedgerKey): [string, number, number, string] {
  return [key.runId, key.round, key.callIndex, key.argumentsSha256];
}
