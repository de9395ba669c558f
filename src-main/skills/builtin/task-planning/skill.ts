import { AppError } from '#contract/errors.ts';
import { asData } from '../../as-data.ts';
import { graphSkill } from '../../graph-skill.ts';
import { MOST_STEPS, metadata } from './metadata.ts';
import { orderSteps } from './order-steps.ts';
import { planDraft } from './plan-draft.ts';
import { PLANNING_PROMPT } from './prompt.ts';

/** A plan for a task: the model writes it, and code makes sure that its order works. */
export const skill = graphSkill(metadata, [
  {
    name: 'plan',
    description: 'Writing the plan',
    run: async ({ inputParams }, { services: { llm } }) => {
      const maxSteps = stepsOf(inputParams.max_steps);
      const { task, context } = inputParams as { task: string; context?: string };
      const draft = await llm.askFor({
        system: PLANNING_PROMPT,
        prompt: [
          `The task:\n${task}`,
          ...(context === undefined || context.trim() === '' ? [] : [asData(context, 'context')]),
          `At most ${maxSteps} ${maxSteps === 1 ? 'step' : 'steps'}.`,
        ].join('\n\n'),
        schema: planDraft(maxSteps),
        temperature: 0,
      });
      return { work: { draft } };
    },
  },
  {
    name: 'check',
    description: 'Checking the order of the steps',
    run: async ({ work }) => {
      const { steps: drafts, ...plan } = work.draft as ReturnType<
        ReturnType<typeof planDraft>['parse']
      >;
      const { steps, notes } = orderSteps(drafts);
      const nonEmpty = (texts: readonly string[]): string[] => texts.filter((text) => text !== '');
      return {
        output: {
          ...plan,
          steps,
          notes,
          assumptions: nonEmpty(plan.assumptions),
          open_questions: nonEmpty(plan.open_questions),
        },
      };
    },
  },
]);

function stepsOf(given: unknown): number {
  const steps = Math.floor(Number(given));
  if (steps >= 1 && steps <= MOST_STEPS) return steps;
  throw new AppError(
    'SKILL_INPUT_INVALID',
    `The parameters do not fit task_planning: max_steps: must be from 1 to ${MOST_STEPS}.`,
    { details: { expectedParameters: metadata.parameters } },
  );
}
