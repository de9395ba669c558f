const SIZE = 96;

/**
 * Where a text lies, as far as a fake can say: the words that are in it, each in a direction of its own.
 * Words of one group of `synonyms` have the same direction, which is the meaning that a test looks for.
 */
export function fakeEmbedding(
  text: string,
  synonyms: readonly (readonly string[])[] = [],
): number[] {
  const vector = new Array<number>(SIZE).fill(0);
  const lower = text.toLowerCase();
  const words: readonly string[] = lower.match(/\p{sc=Han}|[\p{L}\p{N}]+/gu) ?? [];
  const add = (word: string, much: number): void => {
    const at = hash(word);
    vector[at] = (vector[at] ?? 0) + much;
  };
  for (const word of words) add(word, 1);
  for (const group of synonyms) {
    const isThere = group.some(
      (word) => words.includes(word) || (/^\p{sc=Han}/u.test(word) && lower.includes(word)),
    );
    // What is in a group is what the text is about.
    if (isThere) add(group[0] ?? '', 25);
  }
  if (words.length === 0) vector[0] = 1;
  return vector;
}

function hash(word: string): number {
  let value = 2_166_136_261;
  for (const character of word) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  }
  return value % SIZE;
}
