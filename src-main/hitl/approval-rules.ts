import type { ApprovalRule } from '#contract/entities.ts';
import { matchesPattern } from './rule-pattern.ts';

export interface ApprovalRuleStore {
  list(): ApprovalRule[];
  add(rule: Pick<ApprovalRule, 'toolName' | 'pattern' | 'decision'>): ApprovalRule;
}

/** The standing answer for a call, or null where none covers it. A rule that denies wins. */
export function decideByRule(
  rules: readonly ApprovalRule[],
  toolName: string,
  argumentsText: string,
): ApprovalRule | null {
  const covering = rules.filter(
    (rule) => rule.toolName === toolName && matchesPattern(rule.pattern, argumentsText),
  );
  return covering.find((rule) => rule.decision === 'deny') ?? covering[0] ?? null;
}
