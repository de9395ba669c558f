import { z } from 'zod';
import { Plan, type PlanStep, type PlanStepState } from '#contract/plans.ts';
import { branchStep, RUN_STEP, type StepPath } from '../base/step-path.ts';
import type { RunJournal } from '../storage/types.ts';

/**
 * A plan, with data that only the orchestrator needs. It is the single source of truth about the progress
 * of a planned run. The graph reads it before each step, so that a resumed run, or one whose plan the user
 * changed, does what is left.
 */
export const PlanState = z.strictObject({
  plan: Plan,
  /** The ids of all steps that ever began: their work stays in the journal under these. */
  begun: z.array(z.string()),
  /** Whether the plan may start: the user approved it, or is not asked. */
  isApproved: z.boolean(),
  /** The verdict of the model that judges; null until it was asked. */
  judgement: z
    .strictObject({
      isDone: z.boolean(),
      missing: z.string(),
      /** False if it gave no clear answer, which then counts as done. */
      isClear: z.boolean(),
    })
    .nullable(),
  /** The result of each step by its id, for later steps. */
  results: z.record(z.string(), z.string()),
  /** Model requests and calls of the steps so far. */
  rounds: z.int().nonnegative(),
  toolCalls: z.int().nonnegative(),
  /** The last revision that was published in the log; -1 for none. */
  toldRevision: z.int().min(-1),
  /** The changes that the user made, which a revised plan must respect. */
  person: z
    .strictObject({
      /** Ids of steps that the user added or reworded. */
      steps: z.array(z.string()),
      /** Titles of steps that the user removed. */
      dropped: z.array(z.string()),
    })
    .default({ steps: [], dropped: [] }),
});
export type PlanState = z.infer<typeof PlanState>;

/** The stored plan of a run; null if there is none. */
export function readPlanState(journal: RunJournal, runId: string): PlanState | null {
  const entry = journal.newest(runId, RUN_STEP, 'plan');
  return entry === null ? null : PlanState.parse(entry.payload);
}

export function writePlanState(journal: RunJournal, state: PlanState): void {
  journal.put(state.plan.runId, { step: RUN_STEP, kind: 'plan', payload: state });
}

/** The branch of the run that does a step of its plan. */
export function branchOfStep(stepId: string): StepPath {
  return branchStep(RUN_STEP, 'step', stepId);
}

/** Copies the plan of a run to its retry. Completed steps stay completed. */
export function carryPlan(
  journal: RunJournal,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  const old = readPlanState(journal, from);
  if (old === null || readPlanState(journal, to) !== null) return;
  const { plan } = old;
  const steps = plan.steps.map((step) => (step.status === 'completed' ? step : toPending(step)));
  const done = new Set(steps.flatMap(({ id, status }) => (status === 'completed' ? [id] : [])));
  writePlanState(journal, {
    ...old,
    plan: { ...plan, runId: to, steps, replans: 0 },
    // The other steps start over.
    begun: old.begun.filter((id) => done.has(id)),
    ...{ judgement: null, rounds: 0, toolCalls: 0, toldRevision: -1 },
  });
}

/** A new plan with all steps pending. */
export function newPlanState(runId: string, steps: readonly PlanStep[]): PlanState {
  return {
    plan: { runId, revision: 0, steps: steps.map(toPending), replans: 0 },
    begun: [],
    results: {},
    isApproved: false,
    judgement: null,
    rounds: 0,
    toolCalls: 0,
    toldRevision: -1,
    person: { steps: [], dropped: [] },
  };
}

/** Pending steps that the user added or reworded. */
export function stepsOfUser({ plan, person: edits }: PlanState): PlanStepState[] {
  return plan.steps.filter(({ id, status }) => status === 'pending' && edits.steps.includes(id));
}

/** Titles of steps that the user removed. */
export function removedByUser({ person: edits }: PlanState): readonly string[] {
  return edits.dropped;
}

export function toPending(step: PlanStep): PlanStepState {
  return { ...step, status: 'pending', summary: '', facts: [], startedAt: null, endedAt: null };
}

/** The step as it is published in events: without its progress. */
export function toPlanStep(step: PlanStepState): PlanStep {
  const { id, title, goal, toolsHint, expectedEvidence, dependsOn } = step;
  return { id, title, goal, toolsHint, expectedEvidence, dependsOn };
}

/** Ids of all steps, including abandoned ones: a new step with such an id would find the old work. */
export function takenIds({ plan, begun }: PlanState): Set<string> {
  return new Set([...plan.steps.map(({ id }) => id), ...begun]);
}

/** Steps that may start now, because all their dependencies are over. */
export function readySteps({ plan }: PlanState): PlanStepState[] {
  const done = new Set(plan.steps.filter(isOver).map(({ id }) => id));
  return plan.steps.filter(
    ({ status, dependsOn }) =>
      (status === 'pending' || status === 'running') && dependsOn.every((id) => done.has(id)),
  );
}

/** Whether the step is finished, so that steps that depend on it may start. */
export function isOver({ status }: PlanStepState): boolean {
  return status === 'completed' || status === 'skipped';
}

/** Removes dependencies on unknown or later steps, which also removes cycles. */
export function withSoundDependencies<Step extends PlanStep>(steps: readonly Step[]): Step[] {
  const before = new Set<string>();
  return steps.map((step) => {
    const dependsOn = [...new Set(step.dependsOn)].filter((id) => before.has(id));
    before.add(step.id);
    return { ...step, dependsOn };
  });
}
