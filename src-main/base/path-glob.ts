/**
 * Globs over workspace paths: `?` matches one character, `*` any characters within a name, `**` any
 * characters, and with a slash after it whole folders, or none. Dotfiles match like other names: a deny
 * rule must not miss them.
 */

/** No operating system opens a longer path. */
export const MOST_PATH_CHARS = 4_096;

type Token =
  | { readonly kind: 'literal'; readonly character: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'name' }
  | { readonly kind: 'any' }
  /** No folder, or the next token: `inside`, which ends after a slash. */
  | { readonly kind: 'folders' }
  | { readonly kind: 'inside' };

/** Whether `glob` matches all of `path`. Takes time proportional to both lengths, whatever they contain. */
export function matchesGlob(glob: string, path: string): boolean {
  const tokens = tokenize(glob);
  // i is in `reached` when the first i tokens match the path as far as it was read.
  let reached = spread(tokens, new Set([0]));
  for (const character of path) {
    const next = new Set<number>();
    for (const at of reached) {
      const token = tokens[at];
      if (token === undefined) continue;
      if (token.kind === 'inside' && character === '/') next.add(at + 1);
      if (token.kind === 'any' || token.kind === 'inside') next.add(at);
      else if (token.kind === 'name' && character !== '/') next.add(at);
      else if (token.kind === 'one' && character !== '/') next.add(at + 1);
      else if (token.kind === 'literal' && token.character === character) next.add(at + 1);
    }
    if (next.size === 0) return false;
    reached = spread(tokens, next);
  }
  return reached.has(tokens.length);
}

/** Adds the positions behind stars, which may match nothing. */
function spread(tokens: readonly Token[], reached: Set<number>): Set<number> {
  for (const at of reached) {
    const kind = tokens[at]?.kind;
    // Iterating a Set also visits what is added meanwhile.
    if (kind === 'any' || kind === 'name' || kind === 'folders') reached.add(at + 1);
    if (kind === 'folders') reached.add(at + 2);
  }
  return reached;
}

function tokenize(glob: string): Token[] {
  const tokens: Token[] = [];
  const characters = [...glob];
  for (let i = 0; i < characters.length; i += 1) {
    const character = characters[i] ?? '';
    if (character === '?') tokens.push({ kind: 'one' });
    else if (character !== '*') tokens.push({ kind: 'literal', character });
    else if (characters[i + 1] !== '*') tokens.push({ kind: 'name' });
    else {
      i += 1;
      // `a/**/b` matches `a/b`: the slash after the stars belongs to them. It does not match `a/xb`.
      const areFolders = characters[i + 1] === '/' && (i === 1 || characters[i - 2] === '/');
      if (areFolders) {
        tokens.push({ kind: 'folders' }, { kind: 'inside' });
        i += 1;
      } else tokens.push({ kind: 'any' });
    }
  }
  return tokens;
}
