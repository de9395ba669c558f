/** Scripts without spaces between words: each letter counts as a word. */
const LETTERWISE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu;
const WORD = /[\p{L}\p{N}]+(?:['’.,-][\p{L}\p{N}]+)*/gu;

/** Words of a Markdown text, without its marks and the addresses of its links. */
export function countWords(markdown: string): number {
  const text = markdown.replace(/\]\([^)]*\)/g, ']').replace(/<?https?:\/\/[^\s>]+>?/g, ' link ');
  const letters = text.match(LETTERWISE)?.length ?? 0;
  return letters + (text.replace(LETTERWISE, ' ').match(WORD)?.length ?? 0);
}
