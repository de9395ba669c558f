import type { MarkdownTree } from './markdown-tree.ts';

/** A longer text may stop in the middle with some voices. */
const MOST_CHARS = 250;
const LONGEST = /.{1,120}/gsu;

const BLOCKS: ReadonlySet<string> = new Set([
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li', 'blockquote', 'tr', 'div', 'summary'],
  ...['ul', 'ol', 'table', 'details', 'hr'],
]);
/** References to sources, as they are written in answers. */
const CITATION = /\s?\[\d{1,3}(?:\s*[,;]\s*\d{1,3})*\]/g;

/**
 * A formatted text as texts to be read aloud one after the other, each a paragraph or some sentences. Code blocks,
 * formulas, pictures and the numbers of sources and notes are left out, and nothing can be taken for speech markup.
 */
export function spokenTexts(tree: MarkdownTree, language: string): readonly string[] {
  const paragraphs: string[] = [];
  let open = '';
  const flush = (): void => {
    const text = open.replace(/[<>&]/g, ' ').replace(/\s+/g, ' ').trim();
    open = '';
    if (/[\p{L}\p{N}]/u.test(text)) paragraphs.push(text);
  };
  const walk = (node: MarkdownTree, isCode: boolean): void => {
    if (node.type === 'text') open += isCode ? node.value : node.value.replace(CITATION, '');
    if (node.type !== 'element' && node.type !== 'root') return;
    const name = node.type === 'element' ? node.tagName : '';
    if (node.type === 'element' && isSilent(node.tagName, node.properties.className)) return;
    if (name === 'br') open += ' ';
    if ((name === 'td' || name === 'th') && open.trim() !== '') open = `${open.trimEnd()}, `;
    const isBlock = BLOCKS.has(name);
    if (isBlock) flush();
    for (const child of node.children) walk(child, isCode || name === 'code');
    if (isBlock) flush();
  };
  walk(tree, false);
  flush();
  return paragraphs.flatMap((paragraph) => [...inSentences(paragraph, language)]);
}

function isSilent(name: string, classes: unknown): boolean {
  if (['pre', 'img', 'input', 'script', 'style'].includes(name)) return true;
  const isOf = (wanted: string): boolean => Array.isArray(classes) && classes.includes(wanted);
  return isOf('footnote-mark') || (name === 'code' && isOf('math-inline'));
}

/** As many whole sentences at once as are not too long; of a longer sentence, as many words. */
function* inSentences(paragraph: string, language: string): Generator<string> {
  if (paragraph.length <= MOST_CHARS) return yield paragraph;
  const cut = (text: string, granularity: 'sentence' | 'word'): string[] =>
    [...new Intl.Segmenter(language, { granularity }).segment(text)].map(({ segment }) => segment);
  const pieces = cut(paragraph, 'sentence').flatMap((sentence) =>
    sentence.length <= MOST_CHARS
      ? [sentence]
      : cut(sentence, 'word').flatMap((word) => word.match(LONGEST) ?? []),
  );
  let text = '';
  for (const piece of pieces) {
    if (text !== '' && text.length + piece.length > MOST_CHARS) {
      if (text.trim() !== '') yield text.trim();
      text = '';
    }
    text += piece;
  }
  if (text.trim() !== '') yield text.trim();
}

/** Whether a text is mostly Chinese: more characters than words of letters, and no Japanese ones among them. */
export function isMostlyChinese(text: string): boolean {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const characters = count(/\p{sc=Han}/gu);
  const kana = count(/[\p{sc=Hiragana}\p{sc=Katakana}]/gu);
  return kana * 4 < characters && characters > count(/(?:(?!\p{sc=Han})\p{L})+/gu);
}
