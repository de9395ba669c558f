/**
 * Patterns of approval rules: `*` stands for any run of characters, `\` takes the next character as
 * it is, all else stands for itself. Matched against the whole canonical argument text.
 */

/** A pattern that matches exactly `text`. */
export function exactPattern(text: string): string {
  return text.replace(/[\\*]/g, '\\$&');
}

/** Whether `pattern` covers all of `text`. Linear for each `*`, with no regular expression built. */
export function matchesPattern(pattern: string, text: string): boolean {
  const pieces = literalPieces(pattern);
  const [first = '', ...rest] = pieces;
  if (rest.length === 0) return text === first;
  const last = rest.pop() ?? '';
  if (!text.startsWith(first) || text.length < first.length + last.length) return false;
  if (!text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

/** What stands between the stars, with the escapes taken out. */
function literalPieces(pattern: string): string[] {
  const pieces = [''];
  for (let i = 0; i < pattern.length; i += 1) {
    const character = pattern.charAt(i);
    if (character === '*') {
      pieces.push('');
      continue;
    }
    if (character === '\\') i += 1;
    pieces[pieces.length - 1] += pattern.charAt(i);
  }
  return pieces;
}
