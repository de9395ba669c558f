import { z } from 'zod';
import { MAX_PLAN_STEPS, MIN_PLAN_STEPS } from '#contract/plans.ts';
import { defineTool } from '../define-tool.ts';
import type { ToolDefinition } from '../types.ts';

const DraftedStep = z.strictObject({
  goal: z.string().trim().min(1).max(4_000).describe('what to do, its result'),
  /** Models write null for what is not there. */
  file: z.string().max(300).optional().catch(undefined).describe('file it makes'),
});

/** The steps of an accepted plan, in order: the `data` of its result. */
export const DraftedPlan = z.array(DraftedStep).min(MIN_PLAN_STEPS).max(MAX_PLAN_STEPS);
export type DraftedPlan = z.infer<typeof DraftedPlan>;

/**
 * Plans the whole task, in place of working on it. Has no effect of its own: the orchestrator carries out the
 * plan of a call that was accepted. Accepted only where `mayPlan` says so.
 */
export function tool(): ToolDefinition {
  return defineTool({
    name: 'make_plan',
    description: 'Plan a task of several separate pieces of work. Only as your first call.',
    input: z.strictObject({ steps: DraftedPlan }),
    risk: 'low',
    effect: 'idempotent',
    run: async ({ steps }, { mayPlan }) => {
      if (mayPlan !== true) {
        return {
          content:
            'No plan can be made here. A plan is only the first call of a task that is not a single step, and steps of a plan have no plan of their own. Do the work with your other tools.',
          ok: false,
        };
      }
      // The words of the model stay out of the result, which later claims may refer to.
      return { content: `The plan has ${steps.length} steps.`, data: steps };
    },
  });
}
