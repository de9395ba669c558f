/** Length of a passage in characters: enough for a complete thought, short enough for a small model. */
const TARGET_CHARS = 1000;
const MIN_CHARS = 400;
const MAX_CHARS = 1300;
/** Characters of the previous passage that are indexed with a passage, so that text at the border is found too. */
const OVERLAP = 150;

/** Where passages may end, best first. */
const BREAKS: readonly RegExp[] = [
  /\n[ \t]*\n\s*/g,
  /\n\s*/g,
  /(?:[.!?…]["'”’)]*\s+|[。！？；]["”’」』）]*)/g,
  /[\s,，、]+/g,
];

/**
 * Cuts a text into passages of about 1,000 characters: at the end of a paragraph if possible, else of a
 * line, a sentence or a word. Joined, the passages are the text again.
 */
export function* cutPassages(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > MAX_CHARS) {
    const to = from + endOfPassage(text.slice(from, from + MAX_CHARS));
    yield text.slice(from, to);
    from = to;
  }
  if (from < text.length) yield text.slice(from);
}

/** The end of `before` that is indexed with the next passage, from the start of a word. */
export function overlapOf(before: string): string {
  if (before.length <= OVERLAP) return before;
  const tail = before.slice(-OVERLAP);
  const start = /[\s。！？；，]/.exec(tail);
  return start === null ? tail.replace(/^[\udc00-\udfff]/, '') : tail.slice(start.index + 1);
}

function endOfPassage(window: string): number {
  for (const pattern of BREAKS) {
    let best = 0;
    for (const match of window.matchAll(pattern)) {
      const end = match.index + match[0].length;
      // Takes the last break up to the target length, or else the first one after it.
      if (end < MIN_CHARS) continue;
      if (best === 0 || end <= TARGET_CHARS) best = end;
      if (end > TARGET_CHARS) break;
    }
    if (best > 0) return best;
  }
  // Never cuts a surrogate pair.
  return /[\ud800-\udbff]/.test(window.charAt(TARGET_CHARS - 1)) ? TARGET_CHARS - 1 : TARGET_CHARS;
}
