/** A `/` or `@` that begins a word of a message, and what was typed after it. */
export interface TypedSign {
  readonly sign: '/' | '@';
  /** Its place in the text. */
  readonly from: number;
  readonly query: string;
}

/** A longer word is not the beginning of a name. */
const LONGEST_WORD = 100;
const SIGNS: Readonly<Record<string, TypedSign['sign']>> = {
  ...{ '/': '/', '／': '/' },
  ...{ '@': '@', '＠': '@' },
};
/** Scripts without spaces between words, with their punctuation. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3001-\u303f\uff01-\uff60]/u;

/**
 * The sign that the word before the caret begins with; null where there is none, or it is part of something
 * else: a path, a date, an address, or a word that the caret is inside of.
 */
export function signBefore(text: string, caret: number): TypedSign | null {
  if (/^[\w/@.-]/.test(text.slice(caret, caret + 1))) return null;
  const word = /\S*$/.exec(text.slice(Math.max(0, caret - LONGEST_WORD), caret))?.[0] ?? '';
  if (word.length === LONGEST_WORD) return null;
  const at = Math.max(word.lastIndexOf('@'), word.lastIndexOf('＠'), 0);
  const sign = SIGNS[word.charAt(at)];
  const query = word.slice(at + 1);
  if (sign === undefined || (at > 0 && !UNSPACED.test(word.charAt(at - 1)))) return null;
  if (sign === '/' && /[/／]/.test(query)) return null;
  return { sign, from: caret - word.length + at, query };
}
