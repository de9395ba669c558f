/** Characters of HTML that are looked at; text behind them is left out. */
const MAX_INPUT_CHARS = 10_000_000;

const SKIPPED = [
  ...['nav', 'footer', 'script', 'style', 'noscript', 'template', 'svg', 'iframe'],
  ...['button', 'select', 'textarea', 'datalist'],
];

/**
 * Cells over so many columns or rows that the memory of the whole process is not enough for them; a thread
 * that runs out in the midst of it takes the app along. Names of attributes have no other spelling.
 */
const WIDE_CELL =
  /\b(colspan(?!\s*=\s*["']?(?:1?\d|20)["'\s>])|rowspan(?!\s*=\s*["']?\d["'\s>]))(?=\s*=)/gi;

/** Whether a text is a page, whatever it was called. */
export function looksLikeHtml(source: string): boolean {
  return /^\s*(?:<!doctype html|<html[\s>])/i.test(source);
}

/** The encoding that a page names in its first bytes. */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 2048)).toString('latin1');
  const named = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1];
  // Who could read that in ASCII knows better; browsers take it for UTF-8.
  return named !== undefined && /^utf-?16/i.test(named) ? 'utf-8' : named;
}

/** What a page calls itself; empty for one that does not. */
export async function htmlTitle(source: string): Promise<string> {
  const inside = /<title[^>]{0,200}>([^<]{0,1000})/i.exec(source.slice(0, 200_000))?.[1] ?? '';
  return inside === '' ? '' : await htmlText(inside);
}

/**
 * A page as text that can be read; where pages are anybody's, in a thread with limits, for one can be made
 * to take hours. Nothing of it is run or loaded: no scripts, no pictures, no
 * refresh.
 */
export async function htmlText(source: string): Promise<string> {
  const { convert } = await import('html-to-text');
  return convert(source.replace(WIDE_CELL, '$1-left-out'), {
    wordwrap: false,
    // Deeply nested pages must not cost the stack.
    limits: { maxDepth: 200, maxInputLength: MAX_INPUT_CHARS },
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
      { selector: 'img', format: 'skip' },
      // Not `form`: whole pages of some servers are one.
      ...SKIPPED.map((selector) => ({ selector, format: 'skip' })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    ],
  }).replace(/\n{3,}/g, '\n\n');
}
