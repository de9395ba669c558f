import { Route } from '#contract/vocabulary.ts';
import { classify } from '#main/orchestrator/classify.ts';
import { ExpectedRoute, type RoutingCase } from '../../test/fakes/routing-cases.ts';

export const EXPECTED = ExpectedRoute.options;
export const ROUTES = Route.options;

/** A case that the rules were certain about, wrongly. */
export interface RoutingMiss {
  readonly case: RoutingCase;
  readonly got: Route;
  readonly reason: string;
}

/** How the rules route a set of queries; `matrix[expected][got]` counts them. */
export interface RoutingCount {
  readonly cases: number;
  /** Those that are not left to the executor. */
  readonly certain: number;
  readonly right: number;
  readonly matrix: Readonly<Record<ExpectedRoute, Readonly<Record<Route, number>>>>;
  readonly misses: readonly RoutingMiss[];
}

export function countRoutes(cases: readonly RoutingCase[]): RoutingCount {
  const none = () => ({ simple: 0, complex: 0, research: 0, uncertain: 0 });
  const matrix = { simple: none(), complex: none(), research: none() };
  const misses: RoutingMiss[] = [];
  let right = 0;
  for (const one of cases) {
    const { route, reason } = classify({ prompt: one.query, mode: one.mode ?? 'task' });
    matrix[one.expect][route] += 1;
    if (route === one.expect) right += 1;
    else if (route !== 'uncertain') misses.push({ case: one, got: route, reason });
  }
  return { cases: cases.length, certain: right + misses.length, right, matrix, misses };
}

/** The part of the certain cases that is right, 0 to 1; 1 if none is certain. */
export function accuracy({ certain, right }: RoutingCount): number {
  return certain === 0 ? 1 : right / certain;
}
