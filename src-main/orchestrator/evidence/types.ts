import type { Fact } from '#contract/plans.ts';

/** `unknown` could not be looked at: nothing shows that it holds, and nothing that it does not. */
export type FactState = 'holds' | 'fails' | 'unknown';

/** A fact with what follows from it. */
export interface CheckedFact extends Fact {
  readonly state: FactState;
}

export function fact(claim: string, state: FactState, evidence: string): CheckedFact {
  return { claim, holds: state === 'holds', evidence, state };
}

/** As it is told and stored. */
export function toFact({ claim, holds, evidence }: CheckedFact): Fact {
  return { claim, holds, evidence };
}
