import { z } from 'zod';
import { Plan, type PlanStep, type PlanStepState } from '#contract/plans.ts';
import type { RunStateStore } from '../storage/types.ts';

/** Where the plan of a run is stored, within its states. */
const PART = 'plan';

/**
 * A plan with what only the orchestrator needs. It is the one truth about how far a planned run is: the
 * graph reads it before each step, so that a run that goes on, or one whose plan a person changed, does
 * what is left.
 */
export const PlanState = z.strictObject({
  plan: Plan,
  /** The lane of each step that began: its rounds and effects are stored under it. */
  lanes: z.record(z.string(), z.int().positive()),
  /** Whether the person let the plan start, where they are asked. */
  isApproved: z.boolean(),
  /** What the model that judges said was missing, once it was asked; null before. */
  judgement: z
    .strictObject({
      isDone: z.boolean(),
      missing: z.string(),
      /** False where it gave no clear answer, and so had no say. */
      isClear: z.boolean(),
    })
    .nullable(),
  /** What each step gave, by its id, for the steps after it. */
  results: z.record(z.string(), z.string()),
  /** Model requests and calls of the steps so far. */
  rounds: z.int().nonnegative(),
  toolCalls: z.int().nonnegative(),
  /** The last revision that the log was told of; -1 for none. */
  toldRevision: z.int().min(-1),
  /** What the person made of the plan, for whoever plans again. */
  person: z
    .strictObject({
      /** Steps that they added or put in other words, by id. */
      steps: z.array(z.string()),
      /** Titles of steps that they took out. */
      dropped: z.array(z.string()),
    })
    .default({ steps: [], dropped: [] }),
});
export type PlanState = z.infer<typeof PlanState>;

/** The stored plan of a run; null where there is none. */
export function readPlanState(states: RunStateStore, runId: string): PlanState | null {
  const stored = states.find(runId, PART);
  return stored === null ? null : PlanState.parse(stored);
}

export function writePlanState(states: RunStateStore, state: PlanState): void {
  states.put(state.plan.runId, PART, state);
}

/** Gives a run the plan of the one that it is another attempt at: what is done stays done. */
export function carryPlan(
  states: RunStateStore,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  const old = readPlanState(states, from);
  if (old === null || readPlanState(states, to) !== null) return;
  const { plan } = old;
  const steps = plan.steps.map((step) => (step.status === 'completed' ? step : toPending(step)));
  const done = new Set(steps.flatMap(({ id, status }) => (status === 'completed' ? [id] : [])));
  writePlanState(states, {
    ...old,
    plan: { ...plan, runId: to, steps, replans: 0 },
    // What was not done begins anew, in a lane of its own.
    lanes: Object.fromEntries(Object.entries(old.lanes).filter(([id]) => done.has(id))),
    ...{ judgement: null, rounds: 0, toolCalls: 0, toldRevision: -1 },
  });
}

/** A new plan, nothing of which was done. */
export function newPlanState(runId: string, steps: readonly PlanStep[]): PlanState {
  return {
    plan: { runId, revision: 0, steps: steps.map(toPending), replans: 0 },
    lanes: {},
    results: {},
    isApproved: false,
    judgement: null,
    rounds: 0,
    toolCalls: 0,
    toldRevision: -1,
    person: { steps: [], dropped: [] },
  };
}

/** Steps of the person that are still to come. */
export function stepsOfUser({ plan, person }: PlanState): PlanStepState[] {
  return plan.steps.filter(({ id, status }) => status === 'pending' && person.steps.includes(id));
}

export function toPending(step: PlanStep): PlanStepState {
  return { ...step, status: 'pending', summary: '', facts: [], startedAt: null, endedAt: null };
}

/** The step as plans are told of: without how far it is. */
export function toPlanStep(step: PlanStepState): PlanStep {
  const { id, title, goal, toolsHint, expectedEvidence, dependsOn } = step;
  return { id, title, goal, toolsHint, expectedEvidence, dependsOn };
}

/** Ids that name a step, or named one that was given up: its lane is not to be found by another. */
export function takenIds({ plan, lanes }: PlanState): Set<string> {
  return new Set([...plan.steps.map(({ id }) => id), ...Object.keys(lanes)]);
}

/** Steps that may begin now: everything that they need is done. */
export function readySteps({ plan }: PlanState): PlanStepState[] {
  const done = new Set(plan.steps.filter(isOver).map(({ id }) => id));
  return plan.steps.filter(
    ({ status, dependsOn }) =>
      (status === 'pending' || status === 'running') && dependsOn.every((id) => done.has(id)),
  );
}

/** Nothing more is done about it, and what depends on it may begin. */
export function isOver({ status }: PlanStepState): boolean {
  return status === 'completed' || status === 'skipped';
}

/** Without dependencies that do not exist, and without cycles: then the later step waits for nobody. */
export function withSoundDependencies<Step extends PlanStep>(steps: readonly Step[]): Step[] {
  const before = new Set<string>();
  return steps.map((step) => {
    const dependsOn = [...new Set(step.dependsOn)].filter((id) => before.has(id));
    before.add(step.id);
    return { ...step, dependsOn };
  });
}
