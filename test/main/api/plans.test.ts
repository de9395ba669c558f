import { expect, it } from 'vitest';
import type { Run } from '#contract/entities.ts';
import type { Plan } from '#contract/plans.ts';
import { planRequests } from '#main/api/plans.ts';
import { editPlan } from '#main/orchestrator/edit-plan.ts';
import { newPlanState, readPlanState, writePlanState } from '#main/orchestrator/plan-state.ts';

import { memoryJournal } from '../../fakes/memory-journal.ts';

const STEP = {
  ...{ id: 's1', title: 'One', goal: 'One', toolsHint: [] },
  ...{ expectedEvidence: [], dependsOn: [] },
};

it('publishes a change once, whichever process made it', () => {
  const { journal } = memoryJournal();
  const run = { id: 'r', endedAt: null } as Run;
  const published: Plan[] = [];
  const { requests, publishExternalEdits } = planRequests({
    runs: { get: () => run, unfinished: () => [run, { ...run, id: 'without a plan' }] },
    journal,
    transaction: (work) => work(),
    onEdit: (plan) => void published.push(plan),
  });
  writePlanState(journal, newPlanState('r', [STEP]));
  const steps = [{ id: 's1', title: 'One' }, { title: 'Two' }];
  requests['plans.edit']({ runId: 'r', revision: 0, steps });
  publishExternalEdits();
  expect(published.map(({ revision }) => revision)).toEqual([1]);

  const state = readPlanState(journal, 'r');
  if (state === null) throw new Error('There is no plan');
  writePlanState(journal, editPlan(state, { revision: 1, steps: [{ id: 's1', title: 'One' }] }));
  publishExternalEdits();
  publishExternalEdits();
  expect(published.map(({ revision, steps }) => [revision, steps.length])).toEqual([
    [1, 2],
    [2, 1],
  ]);
});
