import { carryResearch } from '../agents/research/carry-research.ts';
import { carryHandoffs } from '../agents/research/delegation.ts';
import { carryStop } from '../hitl/user-stops.ts';
import { carryPlan } from '../orchestrator/plan-state.ts';
import type { RunJournal } from '../storage/types.ts';
import type { RunContext } from './types.ts';

/** Copies what a run achieved to its retry (finished steps, research findings), and that the user stopped it. */
export function carryOver(
  { run: { id: to }, commit }: RunContext,
  { from, journal }: { readonly from: string; readonly journal: RunJournal },
): void {
  commit(() => {
    carryPlan(journal, { from, to });
    carryResearch(journal, { from, to });
    carryHandoffs(journal, { from, to });
    carryStop(journal, { from, to });
  });
}
