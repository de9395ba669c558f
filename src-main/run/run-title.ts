import { withoutSecretKinds } from '../base/secret-kinds.ts';

/** In characters as the user counts them; a Chinese one says as much as a short word, and is as wide as two. */
const MAX_WIDTH = 60;
/** Characters of a prompt that its title may come from. */
const SEARCHED = 20_000;
const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff00-\uff60]/u;

/**
 * The title of a new task: the first line of its prompt that says something, without Markdown, secrets and the
 * names of what is attached; its first sentence if it is too long, else shortened at a word.
 */
export function titleOf(prompt: string, attached: readonly string[] = []): string {
  // Before the split, so that a key of several lines is removed as a whole.
  const lines = withoutSecretKinds(prompt.slice(0, SEARCHED))
    .replaceAll(/```[\s\S]*?(?:```|$)/g, '\n')
    .split('\n');
  const isName = new Set(attached);
  const line = lines
    .map((each) => plainLine(each, isName))
    .find((each) => /[\p{L}\p{N}\p{S}]/u.test(each));
  // Nothing but code, or a name.
  const said = line ?? plainLine(prompt.slice(0, SEARCHED).replaceAll(/[`\n]/g, ' '), new Set());
  return said === '' ? 'New task' : shortened(withoutSecretKinds(said));
}

/** Whether the title says all of the prompt, so that no better one is needed. */
export function saysAll(title: string, prompt: string): boolean {
  return title === prompt.replaceAll(/\s+/g, ' ').trim();
}

/** A title that a model made, held to the same rules; null if nothing is left of it. */
export function cleanTitle(made: string): string | null {
  const line = plainLine(withoutSecretKinds(made).replaceAll('\n', ' '), new Set())
    .replace(/^["'“”„«‘’]+|["'“”„»‘’.。]+$/gu, '')
    .trim();
  return /[\p{L}\p{N}]/u.test(line) ? shortened(line) : null;
}

/** One line without the signs of Markdown, and without the names of files. */
function plainLine(line: string, names: ReadonlySet<string>): string {
  const plain = line
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(?:#{1,6}\s+|>\s*|[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+)+/, '')
    .replaceAll(/(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replaceAll(/`([^`]*)`/g, '$1')
    .replaceAll(/[[\p{Cc}\p{Cf}]--[\u200d]]/gv, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return names.has(plain) ? '' : plain;
}

function shortened(line: string): string {
  if (widthOf(line) <= MAX_WIDTH) return line;
  const [sentence = ''] = /^.*?(?:[.!?](?=\s)|[。！？；])/u.exec(line) ?? [];
  if (sentence.length > 8 && widthOf(sentence) <= MAX_WIDTH) {
    return sentence.replace(/[.。；]$/u, '');
  }
  let cut = '';
  let width = 1;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    line,
  )) {
    width += widthOf(segment);
    if (width > MAX_WIDTH) break;
    cut += segment;
  }
  const lastSpace = cut.lastIndexOf(' ');
  // Scripts without spaces are cut at the limit.
  const whole = lastSpace > cut.length / 2 ? cut.slice(0, lastSpace) : cut;
  return `${whole.replace(/[\s,，、;；:：]+$/u, '')}…`;
}

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{M}|\u200d|\p{Variation_Selector}/u.test(character)) continue;
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}
