/**
 * Patterns of approval rules: `*` matches any characters, `\` escapes the next character, everything else
 * is literal. Matched against the whole canonical argument text.
 */

/** A pattern that matches exactly `text`. */
export function exactPattern(text: string): string {
  return text.replace(/[\\*]/g, '\\$&');
}

/** Whether `pattern` covers all of `text`. Linear for each `*`, without a regular expression. */
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

/** The literal text between the stars, unescaped. */
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
