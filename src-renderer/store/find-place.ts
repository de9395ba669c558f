import type { TaskHit } from '#contract/task-search.ts';
import type { ChatRows } from './chat-rows.ts';

/** A place in a task to go to, and the words to mark there. */
export interface Place extends Pick<TaskHit, 'runId' | 'kind' | 'ref'> {
  readonly words: readonly string[];
}

/** The place of a search hit. */
export function placeOf({ runId, kind, ref, excerpt, marks }: TaskHit): Place {
  const words = new Set(marks.map(([start, end]) => excerpt.slice(start, end).toLowerCase()));
  return { runId, kind, ref, words: [...words] };
}

/** The row that shows a place; null if it is not loaded. Of an answer, the block with most of the words. */
export function rowOfPlace(rows: ChatRows, place: Place): number | null {
  let best: { readonly row: number; readonly words: number } | null = null;
  for (let row = 0; row < rows.count; row += 1) {
    const words = wordsAt(rows, row, place);
    if (words !== null && (best === null || words > best.words)) best = { row, words };
  }
  return best?.row ?? null;
}

/** How many of the words a row has; null if it is not part of the place. */
function wordsAt(rows: ChatRows, index: number, { runId, kind, ref, words }: Place): number | null {
  const row = rows.at(index);
  if (row === null || row.run.id !== runId) return null;
  if (row.kind === 'user') return kind === 'message' ? 0 : null;
  if (row.kind === 'unread') return kind === 'answer' ? 0 : null;
  if (row.kind !== 'item') return null;
  const { item } = row;
  if (item.kind === 'text') {
    const messageId = ref === '' ? 'answer' : ref;
    if (kind !== 'answer' || (item.messageId !== messageId && ref !== '')) return null;
    const text = item.source.toLowerCase();
    return words.filter((word) => text.includes(word)).length;
  }
  if (item.kind === 'report') return kind === 'report' && item.reportId === ref ? 0 : null;
  // A call of a skill is part of the skill's card: main gives it the id PARENT.N.
  if (item.kind === 'tool' && kind === 'call') {
    return `${ref}.`.startsWith(`${item.toolCallId}.`) ? 0 : null;
  }
  return null;
}
