import type { RunEvent, RunEventOf } from '#contract/events/run-event.ts';
import type { PlanStep, PlanStepState } from '#contract/plans.ts';
import { type PlanState, toPending } from './plan-state.ts';

const TOLD_BY = [
  'plan_overview',
  'plan_step',
  'plan_step_completed',
  'todo_update',
  'verification',
  'stage',
] as const;
type PlanEvent = RunEventOf<(typeof TOLD_BY)[number]>;

/** Whether an event tells how far a plan is. */
export function tellsOfPlan(event: RunEvent): event is PlanEvent {
  return (TOLD_BY as readonly string[]).includes(event.type);
}

/** A plan as it was at a moment of its run, and the last event that belongs to it. */
export interface PlanAt {
  readonly state: PlanState;
  readonly seq: number;
}

interface Told {
  plan: RunEventOf<'plan_overview'> | null;
  /** The last event of the last whole piece of work: a plan made, a step ended, the results judged. */
  seq: number;
  isJudged: boolean;
  readonly begun: Map<string, number>;
  readonly facts: Map<string, PlanStepState['facts']>;
  readonly ended: Map<string, RunEventOf<'plan_step_completed'>>;
}

/**
 * The plan as `events`, the log up to some moment, tell of it: what had ended stays as it ended, what was
 * at work is to be begun again. `now` is the plan as it is stored, which has the results whole. Null where
 * there was no plan yet.
 */
export function planAt(now: PlanState, events: readonly RunEvent[]): PlanAt | null {
  const told: Told = {
    ...{ plan: null, seq: 0, isJudged: false },
    ...{ begun: new Map(), facts: new Map(), ended: new Map() },
  };
  for (const event of events) if (tellsOfPlan(event)) take(told, event);
  const { plan, seq, begun, ended } = told;
  if (plan === null) return null;
  // What the person changed and the run did not take up yet is theirs, too.
  const isLatest = plan.revision === now.toldRevision;
  const steps = isLatest ? now.plan.steps : plan.steps;
  const paid = events.filter((event) => event.seq <= seq);
  const count = (type: RunEvent['type']): number => paid.filter((one) => one.type === type).length;
  const state: PlanState = {
    plan: {
      runId: now.plan.runId,
      revision: isLatest ? now.plan.revision : plan.revision,
      steps: steps.map((step) => stepAt(step, told)),
      replans: 0,
    },
    // The numbers of lanes that began stay theirs: no other step of the copy gets them.
    lanes: Object.fromEntries(Object.entries(now.lanes).filter(([id]) => begun.has(id))),
    results: Object.fromEntries(Object.entries(now.results).filter(([id]) => ended.has(id))),
    isApproved: begun.size > 0,
    judgement: told.isJudged && isLatest ? now.judgement : null,
    ...{ rounds: count('usage'), toolCalls: count('tool_result') },
    toldRevision: plan.revision,
    person: now.person,
  };
  return { state, seq };
}

function take(told: Told, event: PlanEvent): void {
  switch (event.type) {
    case 'plan_overview':
      told.plan = event;
      told.isJudged = false;
      told.seq = event.seq;
      break;
    case 'plan_step':
      if (event.status === 'running') told.begun.set(event.stepId, event.at);
      break;
    case 'verification':
      if (event.stepId !== undefined) told.facts.set(event.stepId, event.facts);
      break;
    case 'plan_step_completed':
      told.ended.set(event.stepId, event);
      told.seq = event.seq;
      break;
    case 'todo_update':
      // The list that follows from a piece of work is told at once after it.
      if (told.plan !== null && event.seq === told.seq + 1) told.seq = event.seq;
      break;
    case 'stage':
      if (event.name !== 'verification' || event.status === 'running') break;
      told.isJudged = true;
      told.seq = event.seq;
      break;
  }
}

function stepAt(step: PlanStep, { begun, facts, ended }: Told): PlanStepState {
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
