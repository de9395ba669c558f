import { AppError } from '#contract/errors.ts';
import { MAX_EDITED_STEPS, type PlanDraftStep, type PlanStepState } from '#contract/plans.ts';
import { type PlanState, takenIds, toPending } from './plan-state.ts';

/**
 * Applies the user's changes to a plan. Steps that began stay first and unchanged; the others may be
 * reordered, removed, reworded or added. A step that depended on a removed step, or on one that now comes
 * later, inherits the dependencies of that step. An added step depends on every step before it, and
 * every step after it depends on it. Throws `CONFLICT`, `BAD_REQUEST`.
 */
export function editPlan(
  state: PlanState,
  {
    revision,
    steps: wanted,
  }: { readonly revision: number; readonly steps: readonly PlanDraftStep[] },
): PlanState {
  const { plan, person: userEdits } = state;
  if (plan.revision !== revision) {
    throw new AppError(
      'CONFLICT',
      'The plan has changed meanwhile. Review it and make your change again.',
    );
  }
  const known = new Map(plan.steps.map((step) => [step.id, step]));
  const ids = wanted.flatMap(({ id }) => id ?? []);
  if (new Set(ids).size !== ids.length) throw invalidEdit('A step appears in it twice.');
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw invalidEdit(`There is no step "${unknown}".`);
  const begun = plan.steps.filter(({ status }) => status !== 'pending');
  const isKept = begun.every(({ id }, position) => wanted[position]?.id === id);
  if (!isKept) throw invalidEdit('Steps that have begun stay first, in their order.');
  if (wanted.length > MAX_EDITED_STEPS) throw invalidEdit(`Keep it to ${MAX_EDITED_STEPS} steps.`);
  const taken = takenIds(state);
  const steps = wanted.map((draft): PlanStepState => {
    const step = draft.id === undefined ? undefined : known.get(draft.id);
    if (step === undefined) return newStep(draft, taken);
    if (step.status !== 'pending') return step;
    const isSame = draft.title === step.title && (draft.goal ?? step.goal) === step.goal;
    return isSame ? step : reworded(step, draft);
  });
  const changed = steps.filter((step) => known.get(step.id) !== step).map(({ id }) => id);
  const removed = plan.steps.filter(({ id }) => !ids.includes(id)).map(({ title }) => title);
  return {
    ...state,
    judgement: null,
    plan: { ...plan, revision: plan.revision + 1, steps: inOrder(steps, known) },
    person: {
      steps: [...new Set([...userEdits.steps, ...changed])],
      dropped: [...userEdits.dropped, ...removed].slice(-MAX_EDITED_STEPS),
    },
  };
}

function inOrder(
  steps: readonly PlanStepState[],
  known: ReadonlyMap<string, PlanStepState>,
): PlanStepState[] {
  const before = new Set<string>();
  const added: string[] = [];
  /** The `wanted` steps that come before; each other one is replaced by its own dependencies. */
  const reachable = (wanted: readonly string[], seen: ReadonlySet<string>): string[] =>
    wanted.flatMap((id) => {
      if (before.has(id)) return [id];
      const needed = seen.has(id) ? [] : (known.get(id)?.dependsOn ?? []);
      return reachable(needed, new Set([...seen, id]));
    });
  return steps.map((step) => {
    const isNew = !known.has(step.id);
    const needed = isNew ? [...before] : [...reachable(step.dependsOn, new Set()), ...added];
    before.add(step.id);
    if (isNew) added.push(step.id);
    return step.status === 'pending' ? { ...step, dependsOn: [...new Set(needed)] } : step;
  });
}

/** A reworded step is different work, so its new goal replaces the expected evidence. */
function reworded(step: PlanStepState, { title, goal = title }: PlanDraftStep): PlanStepState {
  return { ...step, title, goal, expectedEvidence: [{ kind: 'judgement', target: goal }] };
}

/** A step by the user is judged by its goal. */
function newStep({ title, goal }: PlanDraftStep, taken: Set<string>): PlanStepState {
  let number = taken.size + 1;
  while (taken.has(`s${number}`)) number += 1;
  const id = `s${number}`;
  taken.add(id);
  return toPending({
    ...{ id, title, goal: goal ?? title, toolsHint: [] },
    ...{ expectedEvidence: [{ kind: 'judgement', target: goal ?? title }], dependsOn: [] },
  });
}

function invalidEdit(problem: string): AppError {
  return new AppError('BAD_REQUEST', `The plan cannot be changed like that. ${problem}`);
}
