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
  tasks: () => uncertainCases().map(firstCallTask),
};

/** What the same model makes of the same queries if it is asked as the Flash model, before the executor starts. */
export const ROUTING_FLASH: EvalSet = {
  name: 'routing_flash',
  settings: (flash) => ({ routeByModel: true, tiers: { max: null, pro: null, flash } }),
  tasks: () => uncertainCases().map(flashTask),
};

function uncertainCases(): RoutingCase[] {
  const uncertain = readRoutingCases(FILE).filter(
    ({ query, mode = 'task' }) => classify({ prompt: query, mode }).route === 'uncertain',
  );
  return ExpectedRoute.options.flatMap((route) =>
    uncertain.filter(({ expect }) => expect === route).slice(0, PER_ROUTE),
  );
}

function nameOf(query: string): string {
  return query.length > 60 ? `${query.slice(0, 59)}…` : query;
}

function flashTask({ query, expect }: RoutingCase): AppTask {
  const answer = { simple: 'one_step', complex: 'plan', research: 'research' }[expect];
  return {
    name: nameOf(query),
    prompt: query,
    until: ({ type }) => type === 'routing',
    check: ({ events }) => {
      const route = events.find((event) => event.type === 'routing')?.route ?? 'none';
      const chosen = route === 'uncertain' ? 'simple' : route;
      return chosen === expect ? null : `${chosen} instead of ${expect}`;
    },
    script: [{ steps: [{ text: JSON.stringify({ route: answer }) }] }],
  };
}

function firstCallTask({ query, expect }: RoutingCase): AppTask {
  return {
    name: nameOf(query),
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
