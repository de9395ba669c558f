import { checkCitations } from '../../../research-text/check-citation.ts';
import { numbersOf } from '../../../research-text/terms.ts';
import type { UsedSource } from './types.ts';

/** Whether quotes support a claim: they contain its numbers, and its words where both are in one language. */
export function isSupported(claim: string, quotes: readonly string[]): boolean {
  return supportByQuote(claim, quotes).includes(true);
}

/** The sources that support a claim, of those that it cites. */
export function supportingSources(
  claim: string,
  cited: readonly number[],
  sources: readonly UsedSource[],
): number[] {
  const quotes = [...new Set(cited)].flatMap((index) =>
    (sources.find((source) => source.index === index)?.statements ?? []).map(({ quote }) => ({
      index,
      quote,
    })),
  );
  const supports = supportByQuote(
    claim,
    quotes.map(({ quote }) => quote),
  );
  return [...new Set(quotes.flatMap(({ index }, at) => (supports[at] === true ? [index] : [])))];
}

/** For each quote, whether it helps to support the claim. */
function supportByQuote(claim: string, quotes: readonly string[]): boolean[] {
  const wanted = numbersOf(claim);
  const language = languageOf(claim);
  // Words of different languages cannot be compared; numbers can.
  if (quotes.every((quote) => languageOf(quote) === language && language !== 'other')) {
    return checkCitations(claim, quotes);
  }
  const each = quotes.map(numbersOf);
  const isSupportedByAll = [...wanted].every((number) => each.some((known) => known.has(number)));
  return each.map(
    (known) =>
      isSupportedByAll && (wanted.size === 0 || [...wanted].some((number) => known.has(number))),
  );
}

const ENGLISH =
  /\b(?:the|of|and|to|in|is|was|were|for|with|that|by|at|from|on|are|it|as|has|have|an|its|be)\b/gi;

function languageOf(text: string): 'english' | 'chinese' | 'other' {
  const words = text.match(/[\p{L}'’]+/gu)?.length ?? 0;
  if (/\p{Script=Han}/u.test(text)) return 'chinese';
  const small = text.match(ENGLISH)?.length ?? 0;
  return words > 0 && small / words >= 0.12 ? 'english' : 'other';
}
