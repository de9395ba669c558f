/**
 * Whether a text has a word that begins with the query, without regard to case and accents; with `several`, also
 * whether the query is made of beginnings of words in their order, as in `weekrep` for "Weekly report".
 */
export function beginsWords(text: string, query: string, several: boolean): boolean {
  const letters = lettersOf(text);
  const lower = letters.map((letter) => letter.toLowerCase());
  /** Places after a letter up to which all of the query is found so far. */
  let ends: ReadonlySet<number> = new Set([0]);
  for (const [place, letter] of lettersOf(query).entries()) {
    const wanted = letter.toLowerCase();
    const mayJump = place === 0 || several;
    const [first = lower.length] = ends;
    const next = new Set<number>();
    for (let at = first; at < lower.length; at += 1) {
      if (lower[at] !== wanted) continue;
      const follows = place > 0 && ends.has(at);
      if (follows || (mayJump && isStart(letters, at))) next.add(at + 1);
    }
    ends = next;
  }
  return ends.size > 0;
}

/** Without accents, and wide letters as usual ones. */
function lettersOf(text: string): readonly string[] {
  return [...text.normalize('NFKD').replace(/\p{M}/gu, '')];
}

/** Scripts without spaces between words: each of their letters may begin one. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

function isStart(letters: readonly string[], at: number): boolean {
  const [before = '', here = ''] = [letters[at - 1], letters[at]];
  if (!/[\p{L}\p{N}]/u.test(here) || UNSPACED.test(here)) return true;
  if (!/[\p{L}\p{N}]/u.test(before) || UNSPACED.test(before)) return true;
  const isNumber = (letter: string): boolean => /\p{N}/u.test(letter);
  return isNumber(before) !== isNumber(here) || /\p{Ll}\p{Lu}/u.test(before + here);
}
