import { inLanguage } from '../language.ts';
import { researchStrings } from './research.ts';

const { depths } = researchStrings;
const { depthHints } = researchStrings.picker;

/** The settings of agents. */
export const agentStrings = inLanguage('agentStrings', {
  instructions: 'What the agent should always know or do',
  instructionsHint: (used: string, limit: string, tokens: string) =>
    `Part of every task that starts from now on. ${used} of ${limit} characters, about ${tokens} tokens in each model request.`,
  review: 'Plans in new tasks',
  reviews: {
    auto: 'Start at once; you can edit them while they run',
    ask: 'Wait for your approval before the first step',
  },
  route: 'Tasks whose wording does not say how much work they are',
  routes: {
    first_call: 'The model of the task decides as it starts',
    flash: 'Ask the Flash model first',
  },
  routeHint:
    'The Flash model (under Models, by tier) costs one request and up to 20 s. Without one, the model of the task decides.',
  execution: 'Tool use',
  executionChoices: {
    standard: 'One tool call at a time',
    codeact: 'Also scripts that call tools (CodeAct)',
  },
  bounded: (min: number, max: number, hint: string) => `${hint} From ${min} to ${max}.`,
  limits: {
    maxReplans: {
      label: 'Maximum new plans after a failure',
      hint: 'After that, the run ends and reports what it could not do.',
    },
    parallelSteps: {
      label: 'Parallel steps',
      hint: 'Independent steps that run at once. A local model then answers more slowly.',
    },
    repeatsBeforeHint: {
      label: 'Identical calls in a row before a hint',
      hint: 'The hint asks the model to try another approach.',
    },
    errorsBeforeReplan: {
      label: 'Failed attempts in a row before a new plan',
      hint: 'The step is then dropped and planned again.',
    },
    maxHandoffs: {
      label: 'Hand-offs to research per run',
      hint: 'With 0, only research tasks do research.',
    },
    researchPageSeconds: {
      label: 'Research page timeout (seconds)',
      hint: 'Pages that take longer are skipped for others.',
    },
  },
  depth: 'Research depth',
  depths: {
    fast: `${depths.fast}: ${depthHints.fast}`,
    standard: `${depths.standard}: ${depthHints.standard}`,
    deep: `${depths.deep}: ${depthHints.deep}`,
  },
  depthHint: 'You can choose another depth for each message in research mode.',
});
