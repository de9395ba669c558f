/** Scripts that put no spaces between words, and Korean, which joins endings to them. */
export const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/gu;

/** Words that occur in every text and distinguish none. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  'a about an and are as at be but by can did do does for from had has have how i if in into is it its me my no not of on or our so that the their them then there these they this to was we were what when where which who why will with would you your'.split(
    ' ',
  ),
);

/** Limit for the terms of one query. */
const MAX_TERMS = 40;

/** The text for the word index: runs of unspaced script become overlapping pairs of characters. */
export function indexedWords(text: string): string {
  return text.normalize('NFKC').replaceAll(UNSPACED, (run) => {
    const characters = [...run];
    // The last character also stands alone, because a search for one character is a prefix search.
    return ` ${[...pairs(characters), characters.at(-1)].join(' ')} `;
  });
}

/**
 * The user's query as an FTS5 query that finds passages with any of its words; null if it has none. No
 * part of it is read as an operator.
 */
export function wordQuery(query: string): string | null {
  const text = query.normalize('NFKC').toLowerCase();
  const terms: string[] = [];
  for (const [run] of text.matchAll(UNSPACED)) {
    const characters = [...run];
    if (characters.length === 1) terms.push(`"${run}"*`);
    else terms.push(...pairs(characters).map(quoted));
  }
  const spaced = text.replaceAll(UNSPACED, ' ').match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
  const distinctive = spaced.filter((word) => !STOP_WORDS.has(word));
  // A query of nothing but stop words searches for those.
  const words = distinctive.length > 0 || terms.length > 0 ? distinctive : spaced;
  const all = [...new Set([...words.map(quoted), ...terms])].slice(0, MAX_TERMS);
  return all.length === 0 ? null : all.join(' OR ');
}

/** The pairs of a run of unspaced script, as the index has them in a row; a single character is itself. */
export function pairedCharacters(run: string): string[] {
  const characters = [...run];
  return characters.length === 1 ? characters : pairs(characters);
}

function pairs(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
