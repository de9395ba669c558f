/** Names of what `styles/chat.css` paints. */
const ALL = 'found-text';
const CURRENT = 'found-text-current';

export interface Highlighted {
  /** What is looked for, ignoring case; several words are each marked. */
  readonly words: readonly string[];
  /** The row of the current match, and which of the matches in it; null marks all alike. */
  readonly current: { readonly row: number; readonly nth: number } | null;
}

/**
 * Marks text in the rows that are rendered, without changing the page: Markdown and React own its elements.
 * Returns the range of the current match; null if it is not rendered.
 */
export function paintMatches(root: HTMLElement, { words, current }: Highlighted): Range | null {
  // A browser without it shows the place without marks.
  if (typeof Highlight === 'undefined') return null;
  const all: Range[] = [];
  let found: Range | null = null;
  for (const row of root.querySelectorAll<HTMLElement>('[data-index]')) {
    const ranges = rangesIn(row, words);
    if (current !== null && Number(row.dataset.index) === current.row) {
      // What is rendered may have fewer matches than the text, such as in a link.
      found = ranges[Math.min(current.nth, ranges.length - 1)] ?? null;
    }
    all.push(...ranges);
  }
  CSS.highlights.set(ALL, new Highlight(...all));
  CSS.highlights.set(CURRENT, new Highlight(...(found === null ? [] : [found])));
  return found;
}

export function clearMatches(): void {
  if (typeof Highlight === 'undefined') return;
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(CURRENT);
}

/** Where the words are in the visible text of an element, across its inner elements. */
function rangesIn(element: HTMLElement, words: readonly string[]): Range[] {
  const nodes: { readonly node: Text; readonly start: number }[] = [];
  let text = '';
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest('.visually-hidden, textarea, style, annotation') === null
      ? NodeFilter.FILTER_ACCEPT
      : NodeFilter.FILTER_REJECT,
  );
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    nodes.push({ node: node as Text, start: text.length });
    text += (node as Text).data;
  }
  const lower = text.toLowerCase();
  // A few letters change their length; places would then be wrong.
  if (lower.length !== text.length) return [];
  const ranges: Range[] = [];
  for (const word of words) {
    const needle = word.toLowerCase();
    if (needle.trim() === '') continue;
    for (let i = lower.indexOf(needle); i >= 0; i = lower.indexOf(needle, i + needle.length)) {
      ranges.push(rangeOf(nodes, i, i + needle.length));
    }
  }
  return ranges;
}

function rangeOf(
  nodes: readonly { readonly node: Text; readonly start: number }[],
  from: number,
  to: number,
): Range {
  const range = new Range();
  const first = nodes.findLast(({ start }) => start <= from);
  const last = nodes.findLast(({ start }) => start < to);
  if (first !== undefined) range.setStart(first.node, from - first.start);
  if (last !== undefined) range.setEnd(last.node, to - last.start);
  return range;
}
