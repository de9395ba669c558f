import type { RunEvent } from './events/run-event.ts';

/** The cost of a run's model requests, from its `usage` events. */
export interface RunCosts {
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Requests that started with the bytes of the previous one, so that the server could reuse its cache. */
  readonly prefixHits: number;
  /** The other requests: their round, and the first byte that differed. */
  readonly prefixMisses: readonly { readonly round: number; readonly byte: number }[];
}

export const NO_COSTS: RunCosts = {
  requests: 0,
  promptTokens: 0,
  completionTokens: 0,
  prefixHits: 0,
  prefixMisses: [],
};

/** The costs including one more event; the same object if it is not a `usage` event. */
export function addCosts(costs: RunCosts, event: RunEvent): RunCosts {
  if (event.type !== 'usage') return costs;
  const { prefix, round, promptTokens = 0, completionTokens = 0 } = event;
  const missed = prefix !== undefined && !prefix.hit;
  return {
    requests: costs.requests + 1,
    promptTokens: costs.promptTokens + promptTokens,
    completionTokens: costs.completionTokens + completionTokens,
    prefixHits: costs.prefixHits + (prefix?.hit === true ? 1 : 0),
    prefixMisses: missed
      ? [...costs.prefixMisses, { round, byte: prefix.bytes }]
      : costs.prefixMisses,
  };
}
