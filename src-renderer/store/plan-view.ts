import type { RunEventOf } from '#contract/events/run-event.ts';
import type { Fact, Plan, PlanStep, StepStatus } from '#contract/plans.ts';

/** The plan of a run, from its log. Every part is replaced when it changes, so it compares by identity. */
export interface PlanView {
  /** Number of the last event that touched it. */
  readonly version: number;
  /** Oldest first; the last one is the current plan. */
  readonly revisions: readonly PlanRevision[];
  /** How far each step is, by id. */
  readonly steps: ReadonlyMap<string, StepView>;
  /** Steps that were started together, by group, in the order in which that happened. */
  readonly lanes: ReadonlyMap<string, LaneGroup>;
  /** The todo list as text; empty before there is one. */
  readonly todo: string;
  /** What was checked of the whole answer; null before. */
  readonly verification: VerificationView | null;
}

export interface PlanRevision {
  readonly revision: number;
  /** Why the plan changed; null if no reason was given. */
  readonly reason: string | null;
  readonly steps: readonly PlanStep[];
  readonly at: number;
  /** The state of its steps when it was replaced; null for the current plan. */
  readonly ended: ReadonlyMap<string, StepView> | null;
}

export interface StepView {
  readonly id: string;
  readonly status: StepStatus;
  readonly startedAt: number | null;
  /** Null until it ends. */
  readonly durationMs: number | null;
  readonly summary: string;
  readonly verification: VerificationView | null;
  /** The newest call that belongs to it. */
  readonly lastCallId: string | null;
}

export interface VerificationView {
  readonly verdict: RunEventOf<'verification'>['verdict'];
  readonly facts: readonly Fact[];
}

export interface LaneGroup {
  readonly title: string;
  readonly stepIds: readonly string[];
}

/** A step with how far it is, as the panel shows it. */
export interface ShownStep extends PlanStep {
  readonly state: StepView;
}

export interface ShownPlan {
  readonly revision: number;
  readonly steps: readonly ShownStep[];
}

export function pendingStep(id: string): StepView {
  return {
    id,
    status: 'pending',
    startedAt: null,
    durationMs: null,
    summary: '',
    verification: null,
    lastCallId: null,
  };
}

/** The current plan; `stored` is what main has, if an edit is not in the log yet. */
export function shownPlan(view: PlanView, stored: Plan | null): ShownPlan {
  const newest = view.revisions.at(-1);
  const isAhead = stored !== null && stored.revision > (newest?.revision ?? -1);
  const { revision, steps } = isAhead ? stored : (newest ?? { revision: 0, steps: [] });
  return { revision, steps: withStates(steps, view.steps) };
}

/** The steps of an earlier revision, as they were when it was replaced. */
export function shownRevision({ steps, ended }: PlanRevision): readonly ShownStep[] {
  return withStates(steps, ended ?? new Map());
}

function withStates(
  steps: readonly PlanStep[],
  states: ReadonlyMap<string, StepView>,
): readonly ShownStep[] {
  return steps.map((step) => ({ ...step, state: states.get(step.id) ?? pendingStep(step.id) }));
}

/** Steps in order, with those that were started together in one group. */
export type PlanRow =
  | { readonly kind: 'step'; readonly step: ShownStep }
  | {
      readonly kind: 'lanes';
      readonly groupId: string;
      readonly title: string;
      readonly steps: readonly ShownStep[];
    };

export function planRows(steps: readonly ShownStep[], lanes: PlanView['lanes']): PlanRow[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const groupOf = new Map<string, string>();
  for (const [groupId, { stepIds }] of lanes) {
    const present = stepIds.filter((id) => byId.has(id));
    // A step that was tried again belongs to the later group.
    if (present.length > 1) for (const id of present) groupOf.set(id, groupId);
  }
  const done = new Set<string>();
  const rows: PlanRow[] = [];
  for (const step of steps) {
    const groupId = groupOf.get(step.id);
    const group = groupId === undefined ? undefined : lanes.get(groupId);
    const members = steps.filter(({ id }) => groupOf.get(id) === groupId);
    if (groupId === undefined || group === undefined || members.length < 2) {
      rows.push({ kind: 'step', step });
    } else if (!done.has(groupId)) {
      done.add(groupId);
      rows.push({ kind: 'lanes', groupId, title: group.title, steps: members });
    }
  }
  return rows;
}

/** The progress of a plan. Skipped steps count as done. */
export function progressOf(steps: readonly Pick<ShownStep, 'state'>[]): {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
} {
  const count = (...statuses: StepStatus[]): number =>
    steps.filter(({ state }) => statuses.includes(state.status)).length;
  return { done: count('completed', 'skipped'), total: steps.length, failed: count('failed') };
}
