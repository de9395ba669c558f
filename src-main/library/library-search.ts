import nodePath from 'node:path';
import type { LibraryHit } from '#contract/library.ts';
import type { LibraryFile, LibraryPassage, LibraryStore } from '../storage/library-types.ts';
import { documentUrl } from './document-url.ts';
import { nearestPassages } from './nearest-passages.ts';
import type { VectorPages } from './vector-pages.ts';
import { wordQuery } from './words.ts';

/** Passages of each ranking that are looked at. */
const CANDIDATES = 200;
/** And at most, where few documents have all the first places. */
const MOST_CANDIDATES = 20_000;
/** As in the paper on reciprocal rank fusion: the first place counts a little more than the second. */
const RANK_OFFSET = 60;

export interface LibraryQuery {
  readonly query: string;
  readonly limit: number;
  /** Only documents of these are told. */
  readonly folders: ReadonlySet<string>;
  /** Where the query lies, by which model; null finds by words alone. */
  readonly meaning: { readonly model: string; readonly vector: Float32Array } | null;
  readonly signal: AbortSignal;
}

/** Documents that fit, best first, each once and with its best passage. */
export async function searchLibrary(
  { store, vectors }: { readonly store: LibraryStore; readonly vectors: VectorPages },
  { query, limit, folders, meaning, signal }: LibraryQuery,
): Promise<LibraryHit[]> {
  const words = wordQuery(query);
  const byWords =
    words === null ? [] : await spread(store, limit, async (most) => store.match(words, most));
  const byMeaning =
    meaning === null
      ? []
      : await spread(store, limit, (most) => {
          const { model, vector } = meaning;
          return nearestPassages(vectors, { model, query: vector, limit: most, signal });
        });
  const scores = fuse([byWords, byMeaning]);
  const passages = new Map(store.passagesById([...scores.keys()]).map((one) => [one.id, one]));
  const best = new Map<number, LibraryPassage>();
  for (const [id] of [...scores].sort(([, a], [, b]) => b - a)) {
    const passage = passages.get(id);
    if (passage !== undefined && !best.has(passage.fileId)) best.set(passage.fileId, passage);
  }
  const files = new Map(store.filesById([...best.keys()]).map((file) => [file.id, file]));
  return [...best.values()]
    .flatMap((passage) => {
      const file = files.get(passage.fileId);
      return file === undefined || !folders.has(file.folder) ? [] : [hit(file, passage)];
    })
    .slice(0, limit);
}

/**
 * The first passages of a ranking. Where they are all of a few long documents, the best passages of the
 * documents after those come behind them: one log file must not hide the rest of a library.
 */
async function spread(
  store: LibraryStore,
  documents: number,
  rank: (most: number) => Promise<readonly number[]>,
): Promise<readonly number[]> {
  for (let most = CANDIDATES; ; most *= 10) {
    const ids = await rank(most);
    const files = store.filesOfPassages(ids);
    const isEnough = new Set(files.values()).size >= documents || ids.length < most;
    if (!isEnough && most < MOST_CANDIDATES) continue;
    const seen = new Set(ids.slice(0, CANDIDATES).map((id) => files.get(id)));
    const others = ids.slice(CANDIDATES).filter((id) => {
      const file = files.get(id);
      return !seen.has(file) && seen.add(file);
    });
    return [...ids.slice(0, CANDIDATES), ...others];
  }
}

/** A passage counts by its places in all rankings, not by scores that cannot be compared. */
function fuse(rankings: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  const scores = new Map<number, number>();
  for (const ranking of rankings) {
    for (const [place, id] of ranking.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (RANK_OFFSET + place + 1));
    }
  }
  return scores;
}

function hit(file: LibraryFile, passage: LibraryPassage): LibraryHit {
  return {
    url: documentUrl(file),
    title: file.title,
    path: nodePath.join(file.folder, file.path),
    snippet: passage.text.trim(),
    modifiedAt: Math.round(file.modifiedAt),
  };
}
