import { AppError } from '#contract/errors.ts';
import type { Plan } from '#contract/plans.ts';
import { editPlan } from '../orchestrator/edit-plan.ts';
import { readPlanState, writePlanState } from '../orchestrator/plan-state.ts';
import type { RunJournal, RunWriter } from '../storage/types.ts';
import type { Requests } from './types.ts';

export interface PlanRequestParts {
  readonly runs: Pick<RunWriter, 'get' | 'unfinished'>;
  readonly journal: RunJournal;
  readonly transaction: <T>(work: () => T) => T;
  /** Called when a plan has changed; an active run reads it before its next step. */
  readonly onEdit: (plan: Plan) => void;
}

/** Requests about plans. `publishExternalEdits` calls `onEdit` for plans that another process has changed. */
export function planRequests({ runs, journal, transaction, onEdit }: PlanRequestParts) {
  /** The last published revision, by run. */
  const published = new Map<string, number>();
  const publish = (plan: Plan): void => {
    published.set(plan.runId, plan.revision);
    onEdit(plan);
  };
  return {
    requests: {
      'plans.get': ({ runId }) => {
        runs.get(runId);
        return { plan: readPlanState(journal, runId)?.plan ?? null };
      },
      'plans.edit': ({ runId, revision, steps }) => {
        const plan = transaction(() => {
          if (runs.get(runId).endedAt !== null) {
            throw new AppError(
              'CONFLICT',
              'This run has ended, so its plan can no longer be changed.',
            );
          }
          const state = readPlanState(journal, runId);
          if (state === null) throw new AppError('CONFLICT', 'This run has no plan.');
          const edited = editPlan(state, { revision, steps });
          writePlanState(journal, edited);
          return edited.plan;
        });
        publish(plan);
        return { plan };
      },
    } satisfies Requests<'plans'>,
    publishExternalEdits: (): void => {
      for (const { id } of runs.unfinished()) {
        const plan = readPlanState(journal, id)?.plan;
        if (plan !== undefined && published.get(id) !== plan.revision) publish(plan);
      }
    },
  };
}
