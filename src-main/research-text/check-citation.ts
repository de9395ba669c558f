import { numbersOf, termsOf } from './terms.ts';

/** Share of a claim's words that its excerpts must hold. */
const WORDS = 0.5;
/** Bigrams of Chinese change with every particle. */
const BIGRAMS = 0.4;
/** What one of several excerpts must share to have a part in a claim that they hold together. */
const PART = 1 / 3;

/**
 * For each excerpt that a claim cites, whether it stands behind the claim: numbers must be there, and
 * enough of the words. A claim that joins several excerpts is held by them together, each with its part.
 */
export function checkCitations(claim: string, excerpts: readonly string[]): boolean[] {
  const together = excerpts.join('\n');
  const isHeldTogether = excerpts.length > 1 && holds(claim, together);
  return excerpts.map(
    (excerpt) => holds(claim, excerpt) || (isHeldTogether && share(claim, excerpt) >= PART),
  );
}

function holds(claim: string, text: string): boolean {
  const known = numbersOf(text);
  if (![...numbersOf(claim)].every((number) => known.has(number))) return false;
  return share(claim, text) >= (/\p{Script=Han}/u.test(claim) ? BIGRAMS : WORDS);
}

/** Share of the claim's words, numbers apart, that stand in `text`; all of none. */
function share(claim: string, text: string): number {
  const wanted = new Set(termsOf(claim).filter((term) => !/^\d/.test(term)));
  if (wanted.size === 0) return 1;
  const known = new Set(termsOf(text));
  return [...wanted].filter((term) => known.has(term)).length / wanted.size;
}
