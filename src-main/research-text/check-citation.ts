import { numbersOf, termsOf } from './terms.ts';

/** Share of a claim's words that its excerpts must contain. */
const WORDS = 0.5;
/** Lower for Chinese, whose bigrams change with every particle. */
const BIGRAMS = 0.4;
/** The share that one excerpt needs if several support a claim together. */
const PART = 1 / 3;

/**
 * For each excerpt that a claim cites, whether it supports the claim: it must contain all numbers and
 * enough of the words. Several excerpts may support a claim together, each a part of it.
 */
export function checkCitations(claim: string, excerpts: readonly string[]): boolean[] {
  const together = excerpts.join('\n');
  const supportTogether = excerpts.length > 1 && supports(claim, together);
  return excerpts.map(
    (excerpt) => supports(claim, excerpt) || (supportTogether && share(claim, excerpt) >= PART),
  );
}

function supports(claim: string, text: string): boolean {
  const known = numbersOf(text);
  if (![...numbersOf(claim)].every((number) => known.has(number))) return false;
  return share(claim, text) >= (/\p{Script=Han}/u.test(claim) ? BIGRAMS : WORDS);
}

/** Share of the claim's words, without numbers, that are in `text`; 1 for a claim without words. */
function share(claim: string, text: string): number {
  const wanted = new Set(termsOf(claim).filter((term) => !/^\d/.test(term)));
  if (wanted.size === 0) return 1;
  const known = new Set(termsOf(text));
  return [...wanted].filter((term) => known.has(term)).length / wanted.size;
}
