import type { CheckedClaim, Claim } from './support.ts';

const CITATION = /\s?\[(\d+(?:\s*[,;]\s*\d+)*)\]/g;
/** A sentence with its citations, and the white space after it. */
const SENTENCE = /[\s\S]+?(?:[.!?\]]\s+(?![\s[])|[。！？](?:\s*\[[\d,;\s]+\])*|$)/g;
const MARKER = /^\s*(?:(?:[-*+>]|\d+[.)]|#{1,6})\s+)*/;

/** The claims of a summary, one for each sentence, with the sources that it cites. */
export function claimsOf(summary: string): Claim[] {
  const claims: Claim[] = [];
  mapSentences(summary, (sentence) => {
    claims.push(claimOf(sentence));
    return sentence;
  });
  return claims;
}

/**
 * A summary that may be shown: without sentences that their sources do not support, and with citations of
 * those that do. `unchecked` is put after a sentence that could not be checked.
 */
export function checkSummary(
  summary: string,
  check: (claim: Claim) => CheckedClaim,
  unchecked: string,
): string {
  return mapSentences(summary, (sentence) => {
    const claim = claimOf(sentence);
    const { verdict, sources } = check(claim);
    if (verdict === 'unsupported') return '';
    const known = claim.cited.length === 0 ? [] : sources;
    const cited = withCitations(sentence, known);
    if (verdict === 'supported') return cited;
    const [space = ''] = /\s*$/.exec(cited) ?? [];
    return `${cited.trimEnd()} (${unchecked})${space === '' ? ' ' : space}`;
  });
}

/** The numbers of sources that a text cites. */
export function citationsOf(text: string): number[] {
  return [...text.matchAll(CITATION)].flatMap(([, numbers = '']) => numbersIn(numbers));
}

function mapSentences(summary: string, map: (sentence: string) => string): string {
  const lines = summary
    .replaceAll('\r\n', '\n')
    .split('\n')
    .flatMap((line) => {
      const [marker = ''] = MARKER.exec(line) ?? [];
      const body = line.slice(marker.length);
      // A heading says nothing.
      if (body.trim() === '' || /^\s*#/.test(marker)) return [line];
      const kept = body.replace(SENTENCE, (sentence) =>
        sentence.trim() === '' ? sentence : map(sentence),
      );
      return kept.trim() === '' ? [] : [marker + kept.trimEnd()];
    });
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function claimOf(sentence: string): Claim {
  return { text: sentence.replace(CITATION, '').trim(), cited: citationsOf(sentence) };
}

/** The sentence with its citations of these sources only, each once. */
function withCitations(sentence: string, sources: readonly number[]): string {
  const seen = new Set<number>();
  return sentence.replace(CITATION, (cited: string, numbers: string) => {
    const known = numbersIn(numbers).filter(
      (number) => sources.includes(number) && !seen.has(number),
    );
    const lead = /^\s/.test(cited) ? ' ' : '';
    return [...new Set(known)]
      .map((number) => {
        seen.add(number);
        return `${lead}[${number}]`;
      })
      .join('');
  });
}

const numbersIn = (list: string): number[] => list.split(/[,;]/).map(Number);
