import { carryResearch } from '../agents/research/carry-research.ts';
import { carryHandoffs } from '../agents/research/delegation.ts';
import { carryPlan } from '../orchestrator/plan-state.ts';
import type { RunStateStore } from '../storage/types.ts';
import type { RunContext } from './types.ts';

/** Gives a run that tries another again what that one had done: finished steps, and what its research found. */
export function carryOver(
  { run: { id: to }, commit }: RunContext,
  { from, states }: { readonly from: string; readonly states: RunStateStore },
): void {
  commit(() => {
    carryPlan(states, { from, to });
    carryResearch(states, { from, to });
    carryHandoffs(states, { from, to });
  });
}
