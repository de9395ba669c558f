import type { ApprovalRule, RuleDraft } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { covers, type JudgedCall } from '../hitl/approval-rules.ts';
import { parseArgvPattern } from '../hitl/argv.ts';
import type { Requests } from './types.ts';

export interface RuleRequestParts {
  readonly rules: {
    list(): ApprovalRule[];
    put(rule: RuleDraft, ruleId?: string | null): ApprovalRule;
    delete(ruleId: string): void;
  };
  /** The newest calls, newest first. */
  readonly pastCalls: (limit: number) => readonly JudgedCall[];
  readonly toolNames: () => readonly string[];
}

/** How many past calls a rule is tried on. */
const TRIED_CALLS = 200;
const EXAMPLES = 5;

/** Requests about approval rules. */
export function ruleRequests({ rules, pastCalls, toolNames }: RuleRequestParts) {
  function check({ toolName, match, pattern }: RuleDraft): void {
    if (!toolNames().includes(toolName)) {
      throw new AppError(
        'BAD_REQUEST',
        `There is no tool "${toolName}". The tools are: ${toolNames().join(', ')}.`,
      );
    }
    if (match === 'argv' && parseArgvPattern(pattern) === null) {
      throw new AppError(
        'BAD_REQUEST',
        'Write the words of a command as a JSON list, such as ["git","status"].',
      );
    }
  }
  return {
    'rules.list': () => ({ rules: rules.list() }),
    'rules.put': ({ ruleId, rule }) => {
      check(rule);
      return { rule: rules.put(rule, ruleId) };
    },
    /** How many of the newest calls this rule alone would have decided. */
    'rules.try': ({ rule }) => {
      check(rule);
      const calls = pastCalls(TRIED_CALLS);
      const covered = calls.filter((call) => covers(rule, call));
      const examples = covered.slice(0, EXAMPLES).map(({ argumentsText }) => argumentsText);
      return { decided: covered.length, of: calls.length, examples };
    },
    'rules.delete': ({ ruleId }) => {
      rules.delete(ruleId);
      return {};
    },
  } satisfies Requests<'rules'>;
}
