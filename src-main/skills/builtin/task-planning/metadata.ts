import { skillMetadata } from '../../skill-metadata.ts';

export const MOST_STEPS = 20;
const TEXTS = { type: 'array', items: { type: 'string' } };
const LEVEL = { type: 'string', enum: ['low', 'medium', 'high'] };

/** Loaded at every start of the app; the skill itself is loaded on first use. */
export const metadata = skillMetadata({
  id: 'task_planning',
  name: 'Task Planning',
  description: 'Splits a task into steps with dependencies, expected evidence and risks.',
  category: 'automation',
  parameters: [
    { name: 'task', type: 'string', description: 'What should be done.' },
    {
      name: 'context',
      type: 'string',
      required: false,
      description: 'What is known: material, limits, what is already done.',
    },
    {
      name: 'max_steps',
      type: 'number',
      required: false,
      default: 8,
      description: `The maximum number of steps, 1 to ${MOST_STEPS}.`,
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
            depends_on: { ...TEXTS, description: 'Ids of earlier steps that this one needs.' },
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
      notes: { ...TEXTS, description: "What was corrected in the model's plan." },
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
