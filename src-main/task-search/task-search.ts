import type { TaskSearchResult } from '#contract/task-search.ts';
import type { FoundPassage, TaskSearchStore } from '../storage/task-search-store.ts';
import type { ThreadReader } from '../storage/types.ts';
import type { TaskIndexer } from './task-indexer.ts';
import { type Excerpt, excerptOf, matchesIn, type TaskQuery, taskQuery } from './task-query.ts';

export interface TaskSearchParts {
  readonly store: TaskSearchStore;
  readonly threads: Pick<ThreadReader, 'get' | 'list'>;
  readonly indexer: Pick<TaskIndexer, 'catchUp' | 'left'>;
  /** Another process writes the index. */
  readonly isReadOnly: boolean;
}

export interface TaskSearchAnswer {
  readonly results: TaskSearchResult[];
  readonly notIndexed: number;
}

/** The newest passages of each rank that are looked at. */
const CANDIDATES = 300;
const HITS_OF_TASK = 3;
/** How long a search may index what was written since. */
const CATCH_UP_MS = 20;

/**
 * Tasks in whose title or text the words of `query` occur. First those whose title has them; then by the text:
 * the words in a row as they were typed, all of them in one passage, and only if there is none of these, any of
 * them; of each, what was said before what commands printed, and the newest first. Archived tasks are found too.
 */
export function searchTasks(
  { store, threads, indexer, isReadOnly }: TaskSearchParts,
  { query: typed, limit }: { readonly query: string; readonly limit: number },
): TaskSearchAnswer {
  const query = taskQuery(typed);
  if (query === null) return { results: [], notIndexed: indexer.left };
  if (!isReadOnly) indexer.catchUp(CATCH_UP_MS);
  const byTask = Map.groupBy(ranked(store, query), ({ threadId }) => threadId);
  const titled = threads
    .list(query.words[0])
    .filter(({ title }) => query.words.every((word) => matchesIn(title, [word]).length > 0))
    .map(({ id }) => id);
  const found = [...new Set([...titled, ...byTask.keys()])].slice(0, limit);
  const results = found.map((threadId): TaskSearchResult => {
    const thread = threads.get(threadId);
    const places = (byTask.get(threadId) ?? []).slice(0, HITS_OF_TASK);
    return {
      thread,
      titleMarks: copied(matchesIn(thread.title, query.words)),
      hits: places.map(({ id, threadId: _, ...place }) => {
        const { text, marks } = excerptOf(store.text(id), query.words);
        return { ...place, excerpt: text, marks: copied(marks) };
      }),
    };
  });
  return { results, notIndexed: indexer.left };
}

function ranked(store: TaskSearchStore, query: TaskQuery): FoundPassage[] {
  const inRow = store.match(query.inRow, CANDIDATES);
  const all = inRow.length < CANDIDATES ? store.match(query.all, CANDIDATES) : [];
  const ids = [...new Set([...inRow, ...all])];
  const best = new Set(inRow);
  const found = store.places(ids.length > 0 ? ids : store.match(query.any, CANDIDATES));
  const rank = ({ id, kind }: FoundPassage): number =>
    (best.has(id) ? 2 : 0) + (kind === 'call' ? 0 : 1);
  return found.sort((a, b) => rank(b) - rank(a) || b.id - a.id);
}

function copied(marks: Excerpt['marks']): [number, number][] {
  return marks.map(([start, end]) => [start, end]);
}
