import { AppError } from '#contract/errors.ts';
import type { Plan, PlanDraftStep } from '#contract/plans.ts';
import { editPlan } from '../orchestrator/edit-plan.ts';
import { readPlanState, writePlanState } from '../orchestrator/plan-state.ts';
import type { RunStateStore, RunWriter } from '../storage/types.ts';

export interface PlanApiParts {
  readonly runs: Pick<RunWriter, 'get' | 'unfinished'>;
  readonly states: RunStateStore;
  readonly transaction: <T>(work: () => T) => T;
  /** Called when a plan was changed; the run at work, if any, reads it before its next step. */
  readonly onEdit: (plan: Plan) => void;
}

/** What a person sees of plans, and how they change them. */
export interface PlanApi {
  get(runId: string): Plan | null;
  edit(runId: string, revision: number, steps: readonly PlanDraftStep[]): Plan;
  /** Tells of plans that another process changed meanwhile. */
  lookAgain(): void;
}

export function createPlanApi({ runs, states, transaction, onEdit }: PlanApiParts): PlanApi {
  /** The revision that was told last, by run. */
  const told = new Map<string, number>();
  const tell = (plan: Plan): void => {
    told.set(plan.runId, plan.revision);
    onEdit(plan);
  };
  return {
    get: (runId) => {
      runs.get(runId);
      return readPlanState(states, runId)?.plan ?? null;
    },
    edit: (runId, revision, steps) => {
      const plan = transaction(() => {
        if (runs.get(runId).endedAt !== null) {
          throw new AppError('CONFLICT', 'This run has ended, and its plan with it.');
        }
        const state = readPlanState(states, runId);
        if (state === null) throw new AppError('CONFLICT', 'This run has no plan.');
        const edited = editPlan(state, { revision, steps });
        writePlanState(states, edited);
        return edited.plan;
      });
      tell(plan);
      return plan;
    },
    lookAgain: () => {
      for (const { id } of runs.unfinished()) {
        const plan = readPlanState(states, id)?.plan;
        if (plan !== undefined && told.get(id) !== plan.revision) tell(plan);
      }
    },
  };
}
