/**
 * Characters that a reader cannot see, or that change how other characters display: controls, format
 * and bidirectional marks, blank fillers, lone surrogates, private use, and every space except the
 * common one. Line feed and tab are visible and stay.
 */
const HIDDEN =
  /(?![\n\t ])(?:[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u{2800}]|\u{27E8}(?=U\+))/gu;

/** Whether `text` contains a character that `visibleSegments` marks. */
export function hasHidden(text: string): boolean {
  return text.search(HIDDEN) >= 0;
}

/** A piece of plain text, or one hidden character as its name, such as `⟨U+202E⟩`. */
export interface VisibleSegment {
  readonly text: string;
  readonly hidden: boolean;
}

/** Splits `text` so that a view can highlight hidden characters. Loses nothing. */
export function visibleSegments(text: string): VisibleSegment[] {
  const segments: VisibleSegment[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) {
      segments.push({ text: text.slice(from, match.index), hidden: false });
    }
    segments.push({ text: nameOf(match[0]), hidden: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) segments.push({ text: text.slice(from), hidden: false });
  return segments;
}

/**
 * Replaces each hidden character with its name. Different texts stay different, because a literal `⟨U+`
 * is replaced too.
 */
export function makeVisible(text: string): string {
  return text.replace(HIDDEN, nameOf);
}

/** Such as `⟨U+202E⟩`. */
export function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
