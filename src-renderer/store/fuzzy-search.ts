import { go, type KeysResult, type SnapshotKeys, snapshot } from 'fuzzysort';
import { beginsWords } from './word-starts.ts';

/** What can be found by a title, or by a few words about it. */
export interface Findable {
  readonly title: string;
  readonly detail: string;
}

/** A piece of a title, and whether it is what was typed. */
export interface TitlePiece {
  readonly text: string;
  readonly matched: boolean;
}

export interface Found<Item> {
  readonly item: Item;
  readonly pieces: readonly TitlePiece[];
  /** How well it fits: 1 is the same text. */
  readonly score: number;
}

/** A list that is prepared to be searched at every letter. */
export type SearchIndex<Item extends Findable> = SnapshotKeys<Item>;

export function searchIndex<Item extends Findable>(items: readonly Item[]): SearchIndex<Item> {
  return snapshot(items, { keys: ['title', 'detail'] });
}

/** Below it, letters lie so far apart that nobody meant them. 1 is the same text. */
const LEAST_SCORE = 0.35;
const DETAIL_WEIGHT = 0.7;

interface SearchOptions<Item> {
  readonly limit: number;
  /** Moves an item up, by some tenths at most. */
  readonly bonus?: (item: Item) => number;
  /** Only items of which words begin with what was typed: for a list that opens unasked. */
  readonly byWords?: boolean;
}

/**
 * The items that have the letters of the query in their order, best first: in the title, or, word by word,
 * in title and detail.
 */
export function fuzzySearch<Item extends Findable>(
  index: SearchIndex<Item>,
  query: string,
  { limit, bonus = () => 0, byWords = false }: SearchOptions<Item>,
): { readonly found: readonly Found<Item>[]; readonly total: number } {
  const results = go(query, index, {
    limit,
    threshold: LEAST_SCORE,
    scoreFn: (result: KeysResult<Item>) =>
      byWords && !isByWords(result.obj, query) ? 0 : scoreOf(result, bonus(result.obj)),
  });
  const found = results.map((result) => ({
    item: result.obj,
    pieces: piecesOf(result[0], result.obj.title),
    score: result.score,
  }));
  return { found, total: results.total };
}

/** A title that has it all comes before one of which the detail has a part. */
function scoreOf(result: KeysResult<Findable>, bonus: number): number {
  const score = Math.max(result[0]?.score ?? 0, DETAIL_WEIGHT * result.score);
  return score === 0 ? 0 : score + bonus;
}

function isByWords({ title, detail }: Findable, query: string): boolean {
  return beginsWords(title, query, true) || beginsWords(detail, query, false);
}

function piecesOf(match: KeysResult<Findable>[number] | undefined, title: string): TitlePiece[] {
  if (match === undefined || match.target === '' || match.indexes.length === 0) {
    return [{ text: title, matched: false }];
  }
  return match
    .highlight((text): TitlePiece => ({ text, matched: true }))
    .map((piece) => (typeof piece === 'string' ? { text: piece, matched: false } : piece));
}
