import { carryResearch } from '../agents/research/carry-research.ts';
import { carryHandoffs } from '../agents/research/delegation.ts';
import { carryPlan } from '../orchestrator/plan-state.ts';
import type { RunStateStore } from '../storage/types.ts';
import type { RunContext } from './types.ts';

/** Copies what a run achieved to its retry: finished steps and research findings. */
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
