import type { RunEvent, RunEventOf } from '#contract/events/run-event.ts';
import type { Fact, PlanStep } from '#contract/plans.ts';
import { type PlanView, pendingStep, progressOf, type StepView, shownPlan } from '../plan-view.ts';
import type { NoteItem, PlanItem, Reducers, RunView } from '../run-view.ts';
import { suggest } from '../suggest.ts';
import { findItem, putItem, putNote } from '../transcript.ts';

export const planningReducers = {
  plan_overview: (view, event) => showPlan(overview(view, event), event),
  plan_step: (view, event) => showPlan(step(view, event), event),
  plan_step_completed: (view, event) => showPlan(stepEnd(view, event), event),
  todo_update: (view, event) =>
    withPlan(view, event, (plan) => ({ ...plan, todo: event.markdown })),
  verification,
} satisfies Partial<Reducers>;

const NO_PLAN: PlanView = {
  version: 0,
  revisions: [],
  steps: new Map(),
  lanes: new Map(),
  todo: '',
  verification: null,
};

function overview(view: RunView, event: RunEventOf<'plan_overview'>): RunView {
  const { revision, steps, reason = null, at } = event;
  const before = view.plan ?? NO_PLAN;
  const isFirst = before.revisions.length === 0;
  // A repeated revision replaces itself; it is not a new plan.
  const earlier = before.revisions.filter((one) => one.revision !== revision);
  const isNew = earlier.length === before.revisions.length;
  const plan: PlanView = {
    ...before,
    version: event.seq,
    revisions: [
      ...earlier.map((one) => (one.ended === null ? { ...one, ended: before.steps } : one)),
      { revision, reason, steps, at, ended: null },
    ],
    steps: carriedOver(steps, before.steps),
  };
  const changed = suggest({ ...view, plan }, 'plan');
  if (isFirst || !isNew) return changed;
  return putNote(changed, event, {
    key: `plan ${revision}`,
    topic: 'replan',
    // All of it is in the plan.
    title: reason?.split('\n', 1)[0] ?? '',
    detail: '',
    state: 'neutral',
  });
}

/** Done steps stay done; failed ones are pending again in the new plan. */
function carriedOver(
  steps: readonly PlanStep[],
  before: PlanView['steps'],
): ReadonlyMap<string, StepView> {
  return new Map(
    steps.map(({ id }) => {
      const known = before.get(id);
      return [id, known === undefined || known.status === 'failed' ? pendingStep(id) : known];
    }),
  );
}

const STEP_STATES: Readonly<Record<RunEventOf<'plan_step'>['status'], NoteItem['state']>> = {
  pending: 'neutral',
  running: 'running',
  completed: 'ok',
  failed: 'failed',
  skipped: 'neutral',
};

function step(view: RunView, event: RunEventOf<'plan_step'>): RunView {
  const { stepId, status } = event;
  const changed = changeStep(view, event, (before) => {
    if (status !== 'running') return { ...before, status };
    const goesOn = before.status === 'running' && before.startedAt !== null;
    return {
      ...before,
      status,
      startedAt: goesOn ? before.startedAt : event.at,
      durationMs: null,
    };
  });
  if (status === 'pending') return changed;
  return putNote(changed, event, {
    key: `step ${stepId}`,
    topic: 'plan',
    title: event.title,
    detail: event.detail ?? '',
    state: STEP_STATES[status],
  });
}

function stepEnd(view: RunView, event: RunEventOf<'plan_step_completed'>): RunView {
  const { stepId, status, summary, durationMs } = event;
  const changed = changeStep(view, event, (before) => ({
    ...before,
    status,
    summary,
    durationMs,
    startedAt: before.startedAt ?? event.at - durationMs,
  }));
  const key = `step ${stepId}`;
  return putNote(changed, event, {
    key,
    topic: 'plan',
    title: findItem(view, 'note', key)?.item.title ?? titleOf(view, stepId),
    // The result is in the plan; the reason of a failure deserves a line here.
    detail: status === 'failed' ? summary : '',
    state: STEP_STATES[status],
  });
}

function verification(view: RunView, event: RunEventOf<'verification'>): RunView {
  const { verificationId, stepId, verdict, facts } = event;
  const found = { verdict, facts };
  const changed =
    stepId === undefined
      ? withKnownPlan(view, event, (plan) => ({ ...plan, verification: found }))
      : changeStep(view, { ...event, stepId }, (before) => ({ ...before, verification: found }));
  return putItem(changed, event, {
    kind: 'verification',
    key: `verification ${verificationId}`,
    stepTitle: stepId === undefined ? null : titleOf(view, stepId),
    ...found,
  });
}

/** Claims without evidence: of the whole answer, else of its steps. */
export function notShown({ plan, transcript }: RunView): readonly Fact[] {
  const whole = transcript.items.findLast(
    (item) => item.kind === 'verification' && item.stepTitle === null,
  );
  const doubtful = (facts: readonly Fact[]): Fact[] => facts.filter(({ holds }) => !holds);
  const ofAnswer = whole?.kind === 'verification' ? doubtful(whole.facts) : [];
  if (ofAnswer.length > 0) return ofAnswer;
  const steps = [...(plan?.steps.values() ?? [])];
  return steps.flatMap(({ verification: found }) => doubtful(found?.facts ?? []));
}

/** The newest call of a step is its current action. */
export function noteStepCall(view: RunView, event: RunEventOf<'tool_call'>): RunView {
  const { stepId, toolCallId } = event;
  if (stepId === undefined || !view.plan?.steps.has(stepId)) return view;
  return changeStep(view, { ...event, stepId }, (before) => ({
    ...before,
    lastCallId: toolCallId,
  }));
}

/** Records steps that start together; false if they are not steps of the plan. */
export function isOfPlan(view: RunView, ids: readonly string[]): boolean {
  return view.plan !== null && ids.some((id) => view.plan?.steps.has(id));
}

export function addLanes(view: RunView, event: RunEventOf<'parallel_start'>): RunView {
  const { groupId, title, taskIds } = event;
  return withKnownPlan(view, event, (plan) => ({
    ...plan,
    lanes: new Map(plan.lanes).set(groupId, { title, stepIds: taskIds }),
  }));
}

function changeStep(
  view: RunView,
  event: { readonly seq: number; readonly stepId: string },
  change: (before: StepView) => StepView,
): RunView {
  // A step that is not in the plan belongs to a skill.
  const before = view.plan?.steps.get(event.stepId);
  if (before === undefined) return view;
  return withKnownPlan(view, event, (plan) => ({
    ...plan,
    steps: new Map(plan.steps).set(event.stepId, change(before)),
  }));
}

function withKnownPlan(
  view: RunView,
  event: { readonly seq: number },
  change: (plan: PlanView) => PlanView,
): RunView {
  return view.plan === null ? view : withPlan(view, event, change);
}

function withPlan(
  view: RunView,
  event: { readonly seq: number },
  change: (plan: PlanView) => PlanView,
): RunView {
  return { ...view, plan: { ...change(view.plan ?? NO_PLAN), version: event.seq } };
}

function titleOf(view: RunView, stepId: string): string {
  const steps = view.plan?.revisions.at(-1)?.steps ?? [];
  return steps.find(({ id }) => id === stepId)?.title ?? stepId;
}

/** Once a run is over, none of its steps is running. */
export function endPlan(view: RunView, event: RunEvent): RunView {
  const item = findItem(view, 'plan', 'plan')?.item;
  if (item === undefined || item.running.length === 0) return view;
  return putItem(view, event, { ...item, running: [] });
}

/** Updates the plan card in the chat. */
function showPlan(view: RunView, event: RunEvent): RunView {
  if (view.plan === null || view.plan.revisions.length === 0) return view;
  const { steps, revision } = shownPlan(view.plan, null);
  const running = steps.filter(({ state }) => state.status === 'running');
  const item: PlanItem = {
    kind: 'plan',
    key: 'plan',
    revision,
    ...progressOf(steps),
    running: running.map(({ title }) => title),
  };
  return putItem(view, event, item);
}
