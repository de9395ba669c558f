import type { SkillExecution, SkillExecutionStatus } from '#contract/skills.ts';
import type { Connection } from './connection.ts';
import type { SkillExecutionStore } from './skill-types.ts';

interface ExecutionRow {
  readonly id: string;
  readonly skill_id: string;
  readonly run_id: string;
  readonly thread_id: string;
  readonly parent_id: string | null;
  readonly depth: number;
  readonly status: SkillExecutionStatus;
  readonly input: string;
  readonly output: string | null;
  readonly error: string | null;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly events: string;
}

export function openSkillExecutions(connection: Connection): SkillExecutionStore {
  const one = connection.sql<ExecutionRow>('SELECT * FROM skill_executions WHERE id = ?');
  const put = connection.sql(
    `INSERT INTO skill_executions
       (id, skill_id, run_id, thread_id, parent_id, depth, status, input, started_at)
     VALUES (?, ?, ?, ?, ?, ?, 'running', ?, ?) ON CONFLICT (id) DO NOTHING`,
  );
  const addEvent = connection.sql(
    "UPDATE skill_executions SET events = json_insert(events, '$[#]', json(?)) WHERE id = ?",
  );
  const finish = connection.sql(
    'UPDATE skill_executions SET status = ?, output = ?, error = ?, ended_at = ? WHERE id = ?',
  );
  const ofSkill = connection.sql<ExecutionRow>(
    'SELECT * FROM skill_executions WHERE skill_id = ? ORDER BY started_at DESC, rowid DESC LIMIT ?',
  );
  const newest = connection.sql<ExecutionRow>(
    'SELECT * FROM skill_executions ORDER BY started_at DESC, rowid DESC LIMIT ?',
  );
  const cancel = connection.sql(
    `UPDATE skill_executions SET status = 'cancelled', ended_at = ?,
       error = '{"code":"CANCELLED","message":"Its run ended."}'
     WHERE ended_at IS NULL AND run_id IN (SELECT id FROM runs WHERE ended_at IS NOT NULL)`,
  );
  const find = (id: string): SkillExecution | null => {
    const row = one.get(id);
    return row === undefined ? null : toExecution(row);
  };
  return {
    begin: ({ id, skillId, runId, threadId, parentId, depth, input, startedAt }) => {
      put.run(id, skillId, runId, threadId, parentId, depth, JSON.stringify(input), startedAt);
      const execution = find(id);
      if (execution === null) throw new Error(`The execution ${id} was not stored`);
      return execution;
    },
    find,
    addEvent: (id, event) => void addEvent.run(JSON.stringify(event), id),
    finish: (id, { status, output, error, endedAt }) => {
      const [outputText, errorText] = [output, error].map((value) =>
        value === null ? null : JSON.stringify(value),
      );
      finish.run(status, outputText ?? null, errorText ?? null, endedAt, id);
    },
    list: ({ skillId, limit }) =>
      (skillId === undefined ? newest.all(limit) : ofSkill.all(skillId, limit)).map(toExecution),
    cancelAbandoned: (at) => cancel.run(at),
  };
}

function toExecution(row: ExecutionRow): SkillExecution {
  return {
    id: row.id,
    skillId: row.skill_id,
    runId: row.run_id,
    threadId: row.thread_id,
    parentId: row.parent_id,
    depth: row.depth,
    status: row.status,
    input: JSON.parse(row.input) as SkillExecution['input'],
    output: row.output === null ? null : (JSON.parse(row.output) as SkillExecution['output']),
    error: row.error === null ? null : (JSON.parse(row.error) as SkillExecution['error']),
    startedAt: row.started_at,
    endedAt: row.ended_at,
    events: JSON.parse(row.events) as SkillExecution['events'],
  };
}
