import { AppError } from '#contract/errors.ts';
import { MAX_EDITED_STEPS, type PlanDraftStep, type PlanStepState } from '#contract/plans.ts';
import { type PlanState, takenIds, toPending } from './plan-state.ts';

/**
 * The plan as the person wants it. Steps that began stay as they are and in front; the others are
 * reordered, dropped, renamed, added. A step that needed one that was dropped, or that it was moved ahead of,
 * needs what that needed. An added step has its place in time: what stands before it is done before it,
 * what stands after it after it. Throws `CONFLICT`, `BAD_REQUEST`.
 */
export function editPlan(
  state: PlanState,
  {
    revision,
    steps: wanted,
  }: { readonly revision: number; readonly steps: readonly PlanDraftStep[] },
): PlanState {
  const { plan } = state;
  if (plan.revision !== revision) {
    throw new AppError(
      'CONFLICT',
      'The plan has changed meanwhile. Look at it again, and make your change to that.',
    );
  }
  const known = new Map(plan.steps.map((step) => [step.id, step]));
  const ids = wanted.flatMap(({ id }) => id ?? []);
  if (new Set(ids).size !== ids.length) throw refused('A step stands in it twice.');
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw refused(`There is no step "${unknown}".`);
  const begun = plan.steps.filter(({ status }) => status !== 'pending');
  const isKept = begun.every(({ id }, position) => wanted[position]?.id === id);
  if (!isKept) throw refused('Steps that have begun stay, in front and in their order.');
  if (wanted.length > MAX_EDITED_STEPS) throw refused(`Keep it to ${MAX_EDITED_STEPS} steps.`);
  const taken = takenIds(state);
  const steps = wanted.map((draft): PlanStepState => {
    const step = draft.id === undefined ? undefined : known.get(draft.id);
    if (step === undefined) return newStep(draft, taken);
    if (step.status !== 'pending') return step;
    const isSame = draft.title === step.title && (draft.goal ?? step.goal) === step.goal;
    return isSame ? step : reworded(step, draft);
  });
  const changed = steps.filter((step) => known.get(step.id) !== step).map(({ id }) => id);
  const gone = plan.steps.filter(({ id }) => !ids.includes(id)).map(({ title }) => title);
  return {
    ...state,
    judgement: null,
    plan: { ...plan, revision: plan.revision + 1, steps: inOrder(steps, known) },
    person: {
      steps: [...new Set([...state.person.steps, ...changed])],
      dropped: [...state.person.dropped, ...gone].slice(-MAX_EDITED_STEPS),
    },
  };
}

function inOrder(
  steps: readonly PlanStepState[],
  known: ReadonlyMap<string, PlanStepState>,
): PlanStepState[] {
  const before = new Set<string>();
  const added: string[] = [];
  /** Those of `wanted` that stand before, and in place of each other what that needed. */
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

/** Another piece of work than was planned is shown by other things: by what it says now. */
function reworded(step: PlanStepState, { title, goal = title }: PlanDraftStep): PlanStepState {
  return { ...step, title, goal, expectedEvidence: [{ kind: 'judgement', target: goal }] };
}

/** A step of the person's is judged by its goal. */
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

function refused(problem: string): AppError {
  return new AppError('BAD_REQUEST', `The plan cannot be changed like that. ${problem}`);
}
