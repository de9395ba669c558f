import { Route } from '#contract/vocabulary.ts';
import { classify } from '#main/orchestrator/classify.ts';
import type { RoutingCase } from '../../test/fakes/routing-cases.ts';

export const ROUTES = Route.options;

/** A case that was routed wrongly. */
export interface RoutingMiss {
  readonly case: RoutingCase;
  readonly got: Route;
  readonly reason: string;
}

/** How a set of queries was routed; `matrix[expected][got]` counts them. */
export interface RoutingCount {
  readonly cases: number;
  readonly right: number;
  readonly matrix: Readonly<Record<Route, Readonly<Record<Route, number>>>>;
  readonly misses: readonly RoutingMiss[];
}

export function countRoutes(cases: readonly RoutingCase[]): RoutingCount {
  const none = () => ({ simple: 0, complex: 0, research: 0 });
  const matrix = { simple: none(), complex: none(), research: none() };
  const misses: RoutingMiss[] = [];
  for (const one of cases) {
    const { route, reason } = classify({ prompt: one.query, mode: one.mode ?? 'task' });
    matrix[one.expect][route] += 1;
    if (route !== one.expect) misses.push({ case: one, got: route, reason });
  }
  return { cases: cases.length, right: cases.length - misses.length, matrix, misses };
}

/** Share of correctly routed cases, 0 to 1; 1 without cases. */
export function accuracy({ cases, right }: RoutingCount): number {
  return cases === 0 ? 1 : right / cases;
}
