import type { ApprovalRule } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Connection } from './connection.ts';
import type { RuleStore } from './types.ts';

interface RuleRow {
  readonly id: string;
  readonly tool_name: string;
  readonly pattern: string;
  readonly decision: ApprovalRule['decision'];
  readonly created_at: number;
}

export function openRules(connection: Connection, clock: Clock): RuleStore {
  const all = connection.sql<RuleRow>('SELECT * FROM approval_rules ORDER BY id DESC');
  const put = connection.sql(
    'REPLACE INTO approval_rules (id, tool_name, pattern, decision, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const remove = connection.sql('DELETE FROM approval_rules WHERE id = ?');
  return {
    list: () => all.all().map(toRule),
    add: ({ toolName, pattern, decision }) => {
      const createdAt = clock.now();
      const rule = { id: newId('rule', createdAt), toolName, pattern, decision, createdAt };
      put.run(rule.id, toolName, pattern, decision, createdAt);
      return rule;
    },
    delete: (ruleId) => {
      if (remove.run(ruleId) > 0) return;
      throw new AppError('NOT_FOUND', `There is no rule ${ruleId}.`, { details: { ruleId } });
    },
  };
}

function toRule(row: RuleRow): ApprovalRule {
  return {
    id: row.id,
    toolName: row.tool_name,
    pattern: row.pattern,
    decision: row.decision,
    createdAt: row.created_at,
  };
}
