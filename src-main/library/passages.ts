/** Characters of a passage, about: enough for a thought, few enough for a small model. */
const USUAL = 1000;
const LEAST = 400;
const MOST = 1300;
/** What a passage is found by begins this much before it, so that a thought at the border is found too. */
const OVERLAP = 150;

/** Where passages may end, best first. */
const BREAKS: readonly RegExp[] = [
  /\n[ \t]*\n\s*/g,
  /\n\s*/g,
  /(?:[.!?…]["'”’)]*\s+|[。！？；]["”’」』）]*)/g,
  /[\s,，、]+/g,
];

/**
 * Cuts a text into passages of about 1,000 characters, at the end of a paragraph where there is one, else
 * of a line, a sentence or a word. Together they are the text.
 */
export function* cutPassages(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > MOST) {
    const to = from + endOfPassage(text.slice(from, from + MOST));
    yield text.slice(from, to);
    from = to;
  }
  if (from < text.length) yield text.slice(from);
}

/** The end of `before` that belongs to the passage after it, from the start of a word. */
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
      // The last one up to the usual length; after that the first.
      if (end < LEAST) continue;
      if (best === 0 || end <= USUAL) best = end;
      if (end > USUAL) break;
    }
    if (best > 0) return best;
  }
  // Not through the middle of a character.
  return /[\ud800-\udbff]/.test(window.charAt(USUAL - 1)) ? USUAL - 1 : USUAL;
}
