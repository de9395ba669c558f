import { AppError } from '#contract/errors.ts';
import { asData } from '../../as-data.ts';
import { graphSkill } from '../../graph-skill.ts';
import { skillMetadata } from '../../skill-metadata.ts';
import { orderSteps } from './order-steps.ts';
import { planDraft } from './plan-draft.ts';
import { PLANNING_PROMPT } from './prompt.ts';

const MOST_STEPS = 20;
const TEXTS = { type: 'array', items: { type: 'string' } };
const LEVEL = { type: 'string', enum: ['low', 'medium', 'high'] };

const metadata = skillMetadata({
  id: 'task_planning',
  name: 'Task Planning',
  description: 'Splits a task into steps with dependencies, expected evidence and risks.',
  category: 'automation',
  parameters: [
    { name: 'task', type: 'string', description: 'What is to be done.' },
    {
      ...{ name: 'context', type: 'string', required: false },
      description: 'What is known: material, limits, what was done already.',
    },
    {
      ...{ name: 'max_steps', type: 'number', required: false, default: 8 },
      description: `The most steps that the plan may have, 1 to ${MOST_STEPS}.`,
    },
  ],
  outputSchema: {
    type: 'object',
    properties: {
      goal: { type: 'string' },
      steps: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            title: { type: 'string' },
            goal: { type: 'string' },
            depends_on: { ...TEXTS, description: 'Ids of steps that stand before this one.' },
            tools_hint: TEXTS,
            expected_evidence: { type: 'string' },
            risk: LEVEL,
          },
          required: [
            ...['id', 'title', 'goal', 'depends_on', 'tools_hint', 'expected_evidence', 'risk'],
          ],
          additionalProperties: false,
        },
      },
      assumptions: TEXTS,
      open_questions: TEXTS,
      estimated_complexity: LEVEL,
      notes: { ...TEXTS, description: 'What was mended in the plan of the model.' },
    },
    required: [
      ...['goal', 'steps', 'assumptions', 'open_questions', 'estimated_complexity', 'notes'],
    ],
    additionalProperties: false,
  },
  capabilities: ['llm'],
  maxExecutionTimeSeconds: 900,
  maxIterations: 5,
  tags: ['plan', 'steps', 'tasks'],
});

/** A plan for a task: the model writes it, and code sees to it that it can be done in its order. */
export const taskPlanning = graphSkill(metadata, [
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
      const said = (texts: readonly string[]): string[] => texts.filter((text) => text !== '');
      return {
        output: {
          ...{ ...plan, steps, notes },
          assumptions: said(plan.assumptions),
          open_questions: said(plan.open_questions),
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
