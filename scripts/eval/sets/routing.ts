import { join } from 'node:path';
import type { RunEvent } from '#contract/events/run-event.ts';
import { classify } from '#main/orchestrator/classify.ts';
import {
  ExpectedRoute,
  type RoutingCase,
  readRoutingCases,
} from '../../../test/fakes/routing-cases.ts';
import type { AppTask, EvalSet, Outcome, Script, Verdict } from '../types.ts';

const FILE = join(import.meta.dirname, '../../../test/fixtures/routing/held-out-e.jsonl');
/** Queries of each route, so that a slow model is done in an evening. */
const PER_ROUTE = 10;
/** Skills that do what the research agent does. */
const RESEARCHES = ['web_research', 'deep_research'];

/**
 * What a model makes of queries that the rules are not certain about: it plans, hands over to research, or begins
 * to work. `npm run corpus:routing` counts the rules.
 */
export const ROUTING: EvalSet = {
  name: 'routing',
  tasks: () => {
    const uncertain = readRoutingCases(FILE).filter(
      ({ query, mode = 'task' }) => classify({ prompt: query, mode }).route === 'uncertain',
    );
    return ExpectedRoute.options.flatMap((route) =>
      uncertain
        .filter(({ expect }) => expect === route)
        .slice(0, PER_ROUTE)
        .map(taskOf),
    );
  },
};

function taskOf({ query, expect }: RoutingCase): AppTask {
  return {
    name: query.length > 60 ? `${query.slice(0, 59)}…` : query,
    prompt: query,
    until: ({ type }) => type === 'tool_call' || type === 'complete',
    check: ({ events }) => verdict(events, expect),
    script: SCRIPTS[expect],
    tools: ['make_plan', 'delegate_to_research'],
  };
}

function verdict(events: Outcome['events'], expected: ExpectedRoute): Verdict {
  const chosen = chosenRoute(events);
  return chosen === expected ? null : `${chosen} instead of ${expected}`;
}

/** What the first call says about the task; without a call, the model answers. */
function chosenRoute(events: readonly RunEvent[]): ExpectedRoute {
  const first = events.find((event) => event.type === 'tool_call');
  if (first === undefined) return 'simple';
  if (first.name === 'make_plan') return 'complex';
  const isResearch =
    first.name === 'delegate_to_research' ||
    (first.name === 'invoke_skill' && RESEARCHES.includes(String(first.arguments.skill_id)));
  return isResearch ? 'research' : 'simple';
}

const SCRIPTS: Readonly<Record<ExpectedRoute, Script>> = {
  simple: [{ steps: [{ text: 'Here it is.' }] }],
  complex: [
    {
      steps: [
        {
          call: {
            name: 'make_plan',
            arguments: { steps: [{ goal: 'The first part' }, { goal: 'The second part' }] },
          },
        },
      ],
    },
  ],
  research: [
    { steps: [{ call: { name: 'delegate_to_research', arguments: { task: 'What is known?' } } }] },
  ],
};
