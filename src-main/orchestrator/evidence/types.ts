import type { Fact } from '#contract/plans.ts';

/** `unknown`: could not be checked. */
export type FactState = 'holds' | 'fails' | 'unknown';

/** A fact that may also be unknown. */
export interface CheckedFact extends Fact {
  readonly state: FactState;
  /** It fails for want of evidence; nothing shows the opposite. */
  readonly isMissing?: true;
}

export function fact(claim: string, state: FactState, evidence: string): CheckedFact {
  return { claim, holds: state === 'holds', evidence, state };
}

/** A fact that fails because nothing was done that could show it. */
export function missing(claim: string, evidence: string): CheckedFact {
  return { ...fact(claim, 'fails', evidence), isMissing: true };
}

/** The fact as it is published and stored. */
export function toFact({ claim, holds, evidence }: CheckedFact): Fact {
  return { claim, holds, evidence };
}
