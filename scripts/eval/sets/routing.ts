import { join } from 'node:path';
import { classify } from '#main/orchestrator/classify.ts';
import { readRoutingCases } from '../../../test/fakes/routing-cases.ts';
import type { EvalSet } from '../types.ts';

const FILE = join(import.meta.dirname, '../../../test/fixtures/routing/labelled.jsonl');

/** The labelled queries. Routing uses no model, so the result is the same for all. */
export const ROUTING: EvalSet = {
  name: 'routing',
  tasks: () =>
    readRoutingCases(FILE).map(({ query, mode = 'task', expect }) => ({
      name: query.length > 60 ? `${query.slice(0, 59)}…` : query,
      decide: () => {
        const { route, reason } = classify({ prompt: query, mode });
        return route === expect ? null : `${route} instead of ${expect}: ${reason}`;
      },
    })),
};
