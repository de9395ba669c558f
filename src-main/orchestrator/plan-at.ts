import type { RunEvent, RunEventOf } from '#contract/events/run-event.ts';
import type { PlanStep, PlanStepState } from '#contract/plans.ts';
import { type PlanState, toPending } from './plan-state.ts';

const PLAN_EVENTS = [
  'plan_overview',
  'plan_step',
  'plan_step_completed',
  'todo_update',
  'verification',
  'stage',
] as const;
type PlanEvent = RunEventOf<(typeof PLAN_EVENTS)[number]>;

/** Whether an event says something about the progress of a plan. */
export function isPlanEvent(event: RunEvent): event is PlanEvent {
  return (PLAN_EVENTS as readonly string[]).includes(event.type);
}

/** The state of a plan at an earlier event of its run, and the last event that belongs to that state. */
export interface PlanAt {
  readonly state: PlanState;
  readonly seq: number;
}

/** What the log says about a plan. */
interface LoggedPlan {
  plan: RunEventOf<'plan_overview'> | null;
  /** The last event that completed something: a plan, a step, or the judgement of the results. */
  seq: number;
  isJudged: boolean;
  readonly begun: Map<string, number>;
  readonly facts: Map<string, PlanStepState['facts']>;
  readonly ended: Map<string, RunEventOf<'plan_step_completed'>>;
}

/**
 * Rebuilds the plan from `events`, the log up to some event. Steps that had ended stay as they ended;
 * steps that were running become pending. `now` is the stored plan, which has the full results. Null if
 * there was no plan yet.
 */
export function planAt(now: PlanState, events: readonly RunEvent[]): PlanAt | null {
  const logged: LoggedPlan = {
    ...{ plan: null, seq: 0, isJudged: false },
    ...{ begun: new Map(), facts: new Map(), ended: new Map() },
  };
  for (const event of events) if (isPlanEvent(event)) apply(logged, event);
  const { plan, seq, begun, ended } = logged;
  if (plan === null) return null;
  // For the latest revision, the stored plan also has changes by the user that are not in the log yet.
  const isLatest = plan.revision === now.toldRevision;
  const steps = isLatest ? now.plan.steps : plan.steps;
  const paid = events.filter((event) => event.seq <= seq);
  const count = (type: RunEvent['type']): number => paid.filter((one) => one.type === type).length;
  const state: PlanState = {
    plan: {
      runId: now.plan.runId,
      revision: isLatest ? now.plan.revision : plan.revision,
      steps: steps.map((step) => stepAt(step, logged)),
      replans: 0,
    },
    begun: now.begun.filter((id) => begun.has(id)),
    results: Object.fromEntries(Object.entries(now.results).filter(([id]) => ended.has(id))),
    isApproved: begun.size > 0,
    judgement: logged.isJudged && isLatest ? now.judgement : null,
    ...{ rounds: count('usage'), toolCalls: count('tool_result') },
    toldRevision: plan.revision,
    person: now.person,
  };
  return { state, seq };
}

function apply(logged: LoggedPlan, event: PlanEvent): void {
  switch (event.type) {
    case 'plan_overview':
      logged.plan = event;
      logged.isJudged = false;
      logged.seq = event.seq;
      break;
    case 'plan_step':
      if (event.status === 'running') logged.begun.set(event.stepId, event.at);
      break;
    case 'verification':
      if (event.stepId !== undefined) logged.facts.set(event.stepId, event.facts);
      break;
    case 'plan_step_completed':
      logged.ended.set(event.stepId, event);
      logged.seq = event.seq;
      break;
    case 'todo_update':
      // The list that results from an event follows right after it.
      if (logged.plan !== null && event.seq === logged.seq + 1) logged.seq = event.seq;
      break;
    case 'stage':
      if (event.name !== 'verification' || event.status === 'running') break;
      logged.isJudged = true;
      logged.seq = event.seq;
      break;
  }
}

function stepAt(step: PlanStep, { begun, facts, ended }: LoggedPlan): PlanStepState {
  const pending = toPending(step);
  const end = ended.get(step.id);
  if (end === undefined) return pending;
  const { status, summary, at, durationMs } = end;
  return {
    ...{ ...pending, status, summary, facts: facts.get(step.id) ?? [] },
    startedAt: begun.get(step.id) ?? Math.round(at - durationMs),
    endedAt: at,
  };
}
