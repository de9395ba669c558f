/** A line of a comparison. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Lines that are compared one by one; of a longer middle, all that was goes and all that is comes. */
const COMPARED_LINES = 2_000;

/**
 * What makes one text of another, line by line, by the longest common subsequence of what differs
 * between the common start and end.
 */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [splitLines(before), splitLines(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) {
    end += 1;
  }
  const same = (lines: readonly string[]): DiffLine[] =>
    lines.map((text) => ({ kind: 'same', text }));
  return [
    ...same(a.slice(0, start)),
    ...diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ];
}

function splitLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function diffMiddle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const removed = (lines: readonly string[]): DiffLine[] =>
    lines.map((text) => ({ kind: 'removed', text }));
  const added = (lines: readonly string[]): DiffLine[] =>
    lines.map((text) => ({ kind: 'added', text }));
  if (a.length > COMPARED_LINES || b.length > COMPARED_LINES || a.length === 0 || b.length === 0) {
    return [...removed(a), ...added(b)];
  }
  const width = b.length + 1;
  // common[i * width + j]: length of the longest common subsequence of what follows i and j.
  const common = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i] ?? '' });
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      lines.push({ kind: 'removed', text: a[i] ?? '' });
      i += 1;
    } else {
      lines.push({ kind: 'added', text: b[j] ?? '' });
      j += 1;
    }
  }
  return [...lines, ...removed(a.slice(i)), ...added(b.slice(j))];
}
