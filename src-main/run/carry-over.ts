import { carryResearch } from '../agents/research/carry-research.ts';
import { carryHandoffs } from '../agents/research/delegation.ts';
import { carryPlan } from '../orchestrator/plan-state.ts';
import type { RunStateStore } from '../storage/types.ts';
import type { RunContext } from './types.ts';

/**
 * Gives a run that tries another again what that one had done: finished steps, and what its research found.
 * Before anything can fail: an attempt that never got to its model would leave the next one without.
 */
export function carryOver({ run, commit }: RunContext, states: RunStateStore): void {
  const { id: to, origin } = run;
  if (origin?.kind !== 'retry') return;
  const { runId: from } = origin;
  commit(() => {
    carryPlan(states, { from, to });
    carryResearch(states, { from, to });
    carryHandoffs(states, { from, to });
  });
}
