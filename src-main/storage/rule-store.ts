import type { ApprovalRule } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Connection } from './connection.ts';
import type { RuleStore } from './types.ts';

interface RuleRow {
  readonly id: string;
  readonly tool_name: string;
  readonly match: ApprovalRule['match'];
  readonly pattern: string;
  readonly decision: ApprovalRule['decision'];
  readonly thread_id: string | null;
  readonly created_at: number;
}

export function openRules(connection: Connection, clock: Clock): RuleStore {
  const all = connection.sql<RuleRow>('SELECT * FROM rules ORDER BY created_at DESC, id DESC');
  const put = connection.sql(
    `REPLACE INTO rules (id, tool_name, match, pattern, decision, thread_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const one = connection.sql<RuleRow>('SELECT * FROM rules WHERE id = ?');
  const remove = connection.sql('DELETE FROM rules WHERE id = ?');
  const unknown = (ruleId: string): AppError =>
    new AppError('NOT_FOUND', `There is no rule ${ruleId}.`, { details: { ruleId } });
  return {
    list: () => all.all().map(toRule),
    put: (draft, ruleId = null) => {
      const known = ruleId === null ? undefined : one.get(ruleId);
      if (ruleId !== null && known === undefined) throw unknown(ruleId);
      const createdAt = known?.created_at ?? clock.now();
      const rule = { id: ruleId ?? newId('rule', createdAt), ...draft, createdAt };
      const { id, toolName, match, pattern, decision, threadId } = rule;
      put.run(id, toolName, match, pattern, decision, threadId, createdAt);
      return rule;
    },
    delete: (ruleId) => {
      if (remove.run(ruleId) === 0) throw unknown(ruleId);
    },
  };
}

function toRule(row: RuleRow): ApprovalRule {
  return {
    id: row.id,
    toolName: row.tool_name,
    match: row.match,
    pattern: row.pattern,
    decision: row.decision,
    threadId: row.thread_id,
    createdAt: row.created_at,
  };
}
