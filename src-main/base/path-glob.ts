/**
 * Globs over paths of a workspace: `?` is one character, `*` any run of them within a name, `**` any
 * run of them at all. Names with a leading dot are names like others: a rule that denies must not
 * overlook them.
 */

/** No system opens a longer path. */
export const MOST_PATH_CHARS = 4_096;

type Token =
  | { readonly kind: 'literal'; readonly character: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'name' }
  | { readonly kind: 'any' };

/** Whether `glob` covers all of `path`. Takes time in proportion to both lengths, whatever they hold. */
export function matchesGlob(glob: string, path: string): boolean {
  const tokens = tokenize(glob);
  // reached[i]: the first i tokens cover what was read of the path so far.
  let reached = spread(tokens, new Set([0]));
  for (const character of path) {
    const next = new Set<number>();
    for (const at of reached) {
      const token = tokens[at];
      if (token === undefined) continue;
      if (token.kind === 'any' || (token.kind === 'name' && character !== '/')) next.add(at);
      else if (token.kind === 'one' && character !== '/') next.add(at + 1);
      else if (token.kind === 'literal' && token.character === character) next.add(at + 1);
    }
    if (next.size === 0) return false;
    reached = spread(tokens, next);
  }
  return reached.has(tokens.length);
}

/** Stars may stand for nothing. */
function spread(tokens: readonly Token[], reached: Set<number>): Set<number> {
  for (const at of reached) {
    const kind = tokens[at]?.kind;
    // A set is walked in the order of adding, and what is added on the way is walked too.
    if (kind === 'any' || kind === 'name') reached.add(at + 1);
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
      tokens.push({ kind: 'any' });
      i += 1;
      // `a/**/b` covers `a/b`: the slash after it belongs to it.
      if (characters[i + 1] === '/' && (i === 1 || characters[i - 2] === '/')) i += 1;
    }
  }
  return tokens;
}
