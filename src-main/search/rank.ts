import { isMirror, type PageWords, pageKey, wordsOf, wordsOfPage } from './same-page.ts';
import type { SearchResult } from './types.ts';

/** Reciprocal rank fusion (Cormack et al., 2009): the larger, the less the first places stand out. */
const FUSION_K = 60;
/** Bonus for a result that contains every word of the query: about three places. */
const TERM_WEIGHT = 0.05;

interface Candidate {
  readonly result: SearchResult;
  readonly page: PageWords;
  readonly score: number;
}

/**
 * Merges several lists into one, best first. A page that more than one list found moves up, each page
 * appears once, copies on other hosts are dropped, and pages with the words of the query get a small
 * bonus.
 */
export function rankResults(
  lists: readonly (readonly SearchResult[])[],
  query: string,
  limit: number,
): SearchResult[] {
  const found = new Map<string, { result: SearchResult; score: number }>();
  for (const list of lists) {
    for (const [index, result] of oncePerPage(list).entries()) {
      const key = pageKey(result.url);
      const before = found.get(key);
      const score = 1 / (FUSION_K + index + 1);
      found.set(
        key,
        before === undefined
          ? { result, score }
          : { result: completed(before.result, result), score: before.score + score },
      );
    }
  }
  const terms = new Set(wordsOf(query));
  const candidates = [...found.values()]
    .map(({ result, score }): Candidate => {
      const page = wordsOfPage(result);
      return { result, page, score: score * (1 + TERM_WEIGHT * shareOf(terms, page.words)) };
    })
    .sort((a, b) => b.score - a.score);
  return withoutMirrors(candidates)
    .map(({ result }) => result)
    .slice(0, limit);
}

function oncePerPage(list: readonly SearchResult[]): SearchResult[] {
  const pages = new Map<string, SearchResult>();
  for (const result of list) {
    const key = pageKey(result.url);
    const before = pages.get(key);
    pages.set(key, before === undefined ? result : completed(before, result));
  }
  return [...pages.values()];
}

/** The better-placed of two results for one page, completed from the other. */
function completed(better: SearchResult, other: SearchResult): SearchResult {
  return {
    ...better,
    snippet: better.snippet === '' ? other.snippet : better.snippet,
    publishedAt: better.publishedAt ?? other.publishedAt,
  };
}

function withoutMirrors(candidates: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of candidates) {
    if (!kept.some(({ page }) => isMirror(page, candidate.page))) kept.push(candidate);
  }
  return kept;
}

function shareOf(terms: ReadonlySet<string>, words: ReadonlySet<string>): number {
  if (terms.size === 0) return 0;
  return [...terms].filter((term) => words.has(term)).length / terms.size;
}
