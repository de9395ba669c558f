import { researchStrings } from '../research-strings.ts';

/** Limits of agents with their bounds, which are those of the contract. */
export const AGENT_LIMITS = [
  { name: 'maxReplans', min: 0, max: 5 },
  { name: 'parallelSteps', min: 1, max: 5 },
  { name: 'repeatsBeforeHint', min: 2, max: 20 },
  { name: 'errorsBeforeReplan', min: 2, max: 50 },
  { name: 'maxHandoffs', min: 0, max: 10 },
  { name: 'researchPageSeconds', min: 1, max: 600 },
] as const;

const { depths } = researchStrings;
const { depthHints } = researchStrings.picker;

/** Words of the settings of agents. */
export const agentStrings = {
  review: 'Plans of new tasks',
  reviews: {
    auto: 'Start at once; they can be changed while they run',
    ask: 'Wait for me before the first step',
  },
  execution: 'How the agent uses its tools',
  executionChoices: {
    standard: 'One call after the other',
    codeact: 'It may also write scripts that call tools (CodeAct)',
  },
  bounded: (min: number, max: number, hint: string) => `${hint} From ${min} to ${max}.`,
  limits: {
    maxReplans: {
      label: 'New plans after a failure',
      hint: 'After that the run ends, and says what it could not do.',
    },
    parallelSteps: {
      label: 'Steps at the same time',
      hint: 'Steps that need nothing of each other. A local model answers them more slowly.',
    },
    repeatsBeforeHint: {
      label: 'Same calls in a row before a hint',
      hint: 'Then the model is told to try another way.',
    },
    errorsBeforeReplan: {
      label: 'Failed rounds in a row before a new plan',
      hint: 'Then the step is given up and planned again.',
    },
    maxHandoffs: {
      label: 'Hand-overs to research in one run',
      hint: '0 keeps other tasks from starting research.',
    },
    researchPageSeconds: {
      label: 'Seconds that research waits for a page',
      hint: 'Then others are read in its place.',
    },
  } satisfies Record<(typeof AGENT_LIMITS)[number]['name'], unknown>,
  depth: 'How far research goes',
  depths: {
    fast: `${depths.fast}: ${depthHints.fast}`,
    standard: `${depths.standard}: ${depthHints.standard}`,
    deep: `${depths.deep}: ${depthHints.deep}`,
  },
  depthHint: 'A message in research mode can choose otherwise.',
} as const;
