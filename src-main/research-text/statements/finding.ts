import { GENERAL_NOUNS } from './word-lists.ts';

/**
 * `supported`: a source says so. `unsupported`: none does, or one says otherwise. `open`: words cannot tell;
 * a reader of both has to.
 */
export type Verdict = 'supported' | 'unsupported' | 'open';

/** A verdict, and what decided: `figure`, `negation`, `subject`, …; empty for `supported`. */
export interface Finding {
  readonly verdict: Verdict;
  readonly reason: string;
}

export const FINE: Finding = { verdict: 'supported', reason: '' };
export const wrong = (reason: string): Finding => ({ verdict: 'unsupported', reason });
export const open = (reason: string): Finding => ({ verdict: 'open', reason });

/** The first of the checks that finds something; `FINE` if none does. */
export function firstFinding(checks: readonly (() => Finding)[]): Finding {
  for (const check of checks) {
    const found = check();
    if (found !== FINE) return found;
  }
  return FINE;
}

/** Whether a noun only takes up what a text has named: “the company”. */
export function isGeneral(word: string): boolean {
  return GENERAL_NOUNS.has(word) || GENERAL_NOUNS.has(word.replace(/s$/, ''));
}
