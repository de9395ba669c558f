import { diffArrays } from 'diff';

/** A line of a diff. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** A part with more changes is shown as fully removed and added: the search for fewer would block the window. */
const MOST_CHANGES = 800;

/** The line diff of two texts with the fewest changes; removed lines come before added ones. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [splitLines(before), splitLines(after)];
  const start = commonStart(a, b);
  const end = commonStart(a.slice(start).reverse(), b.slice(start).reverse());
  const [oldMiddle, newMiddle] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const changes = diffArrays(oldMiddle, newMiddle, { maxEditLength: MOST_CHANGES });
  return [
    ...lines('same', a.slice(0, start)),
    ...(changes === undefined
      ? [...lines('removed', oldMiddle), ...lines('added', newMiddle)]
      : changes.flatMap(({ value, added, removed }) =>
          lines(added ? 'added' : removed ? 'removed' : 'same', value),
        )),
    ...lines('same', a.slice(a.length - end)),
  ];
}

function lines(kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a[count] === b[count]) count += 1;
  return count;
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
