import { safeParse } from '#contract/safe-parse.ts';
import { RUN_STEP } from '../base/step-path.ts';
import type { InvalidToolCall, ToolCall } from '../models/types.ts';
import { DraftedPlan } from '../tools/definitions/make-plan.ts';
import type { CallResult } from '../tools/tool-pipeline.ts';
import type { AgentContext, MadeCall } from './types.ts';

const PLANNING = 'make_plan';

/**
 * Whether a call, the first of its answer, may plan the task: where the run allows it, in the run's own branch,
 * before any other call. A plan that did not fit its schema may be corrected.
 */
export function isPlanningCall(
  call: ToolCall | InvalidToolCall,
  { mayPlanFirst, branch }: Pick<AgentContext, 'mayPlanFirst' | 'branch'>,
  earlier: readonly MadeCall[],
): boolean {
  return (
    mayPlanFirst === true &&
    branch === RUN_STEP &&
    call.name === PLANNING &&
    earlier.every(({ name, status }) => name === PLANNING && status === 'error')
  );
}

/** The plan that the first of these results accepted; null if there is none. */
export function planIn([first]: readonly CallResult[]): DraftedPlan | null {
  if (first?.toolName !== PLANNING || first.status !== 'ok') return null;
  return safeParse(DraftedPlan, first.data).data ?? null;
}

/** The result of a call after the plan in the same answer: it never ran. */
export function replacedByPlan({ id, name }: ToolCall | InvalidToolCall): CallResult {
  const content = 'The plan came first, so this call was not made.';
  return { toolCallId: id, toolName: name, content, status: 'cancelled' };
}
