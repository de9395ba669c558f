import nodePath from 'node:path';
import type { LibraryHit } from '#contract/library.ts';
import type { LibraryFile, LibraryPassage, LibraryStore } from '../storage/library-types.ts';
import { documentUrl } from './document-url.ts';
import { nearestPassages } from './nearest-passages.ts';
import type { VectorPages } from './vector-pages.ts';
import { wordQuery } from './words.ts';

/** Passages taken from each ranking. */
const CANDIDATES = 200;
/** Upper limit, when few documents occupy all the first places. */
const MAX_CANDIDATES = 20_000;
/** From the paper on reciprocal rank fusion: the first place counts only a little more than the second. */
const RANK_OFFSET = 60;

export interface LibraryQuery {
  readonly query: string;
  readonly limit: number;
  /** Only documents in these folders are returned. */
  readonly folders: ReadonlySet<string>;
  /** The embedding of the query, and its model; null searches by words alone. */
  readonly embedding: { readonly model: string; readonly vector: Float32Array } | null;
  readonly signal: AbortSignal;
}

/** Matching documents, best first, each once and with its best passage. */
export async function searchLibrary(
  { store, vectors }: { readonly store: LibraryStore; readonly vectors: VectorPages },
  { query, limit, folders, embedding, signal }: LibraryQuery,
): Promise<LibraryHit[]> {
  const words = wordQuery(query);
  const byWords =
    words === null
      ? []
      : await rankAcrossDocuments(store, limit, async (max) => store.match(words, max));
  const byEmbedding =
    embedding === null
      ? []
      : await rankAcrossDocuments(store, limit, (max) => {
          const { model, vector } = embedding;
          return nearestPassages(vectors, { model, query: vector, limit: max, signal });
        });
  const scores = fuse([byWords, byEmbedding]);
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
      return file === undefined || !folders.has(file.folder)
        ? []
        : [hitOf(file, passage.text.trim())];
    })
    .slice(0, limit);
}

/**
 * The first passages of a ranking. If a few long documents occupy all of them, the best passage of each
 * following document is appended, so that one log file does not hide the rest of the library.
 */
async function rankAcrossDocuments(
  store: LibraryStore,
  documents: number,
  rank: (max: number) => Promise<readonly number[]>,
): Promise<readonly number[]> {
  for (let max = CANDIDATES; ; max *= 10) {
    const ids = await rank(max);
    const files = store.filesOfPassages(ids);
    const isEnough = new Set(files.values()).size >= documents || ids.length < max;
    if (!isEnough && max < MAX_CANDIDATES) continue;
    const seen = new Set(ids.slice(0, CANDIDATES).map((id) => files.get(id)));
    const others = ids.slice(CANDIDATES).filter((id) => {
      const file = files.get(id);
      return !seen.has(file) && seen.add(file);
    });
    return [...ids.slice(0, CANDIDATES), ...others];
  }
}

/** Scores passages by their places in the rankings, because the rankings' own scores are not comparable. */
function fuse(rankings: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  const scores = new Map<number, number>();
  for (const ranking of rankings) {
    for (const [place, id] of ranking.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (RANK_OFFSET + place + 1));
    }
  }
  return scores;
}

/** A document as a search result. */
export function hitOf(file: LibraryFile, snippet: string): LibraryHit {
  return {
    url: documentUrl(file),
    title: file.title,
    path: nodePath.join(file.folder, file.path),
    snippet,
    modifiedAt: Math.round(file.modifiedAt),
  };
}
