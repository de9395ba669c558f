/** Characters of HTML that are read; the rest is left out. */
const MAX_INPUT_CHARS = 10_000_000;

const SKIPPED = [
  ...['nav', 'footer', 'script', 'style', 'noscript', 'template', 'svg', 'iframe'],
  ...['button', 'select', 'textarea', 'datalist'],
];

/**
 * Cells that span so many columns or rows that laying them out exhausts the memory of the process: a
 * thread that runs out of memory there takes the whole app down. Attribute names cannot be spelled
 * differently.
 */
const WIDE_CELL =
  /\b(colspan(?!\s*=\s*["']?(?:1?\d|20)["'\s>])|rowspan(?!\s*=\s*["']?\d["'\s>]))(?=\s*=)/gi;

/** Whether a text is an HTML page, whatever its name. */
export function looksLikeHtml(source: string): boolean {
  return /^\s*(?:<!doctype html|<html[\s>])/i.test(source);
}

/** The encoding that a page declares in its first bytes. */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 2048)).toString('latin1');
  const named = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1];
  // A page whose declaration is readable as ASCII is not in UTF-16; browsers read it as UTF-8.
  return named !== undefined && /^utf-?16/i.test(named) ? 'utf-8' : named;
}

/** The title of a page; empty if it has none. */
export async function htmlTitle(source: string): Promise<string> {
  const inside = /<title[^>]{0,200}>([^<]{0,1000})/i.exec(source.slice(0, 200_000))?.[1] ?? '';
  return inside === '' ? '' : await htmlText(inside);
}

/**
 * A page as readable text. Call it in a thread with limits for pages from outside: a crafted page can
 * take hours. Nothing is run or loaded: no scripts, no pictures, no refresh.
 */
export async function htmlText(source: string): Promise<string> {
  const { convert } = await import('html-to-text');
  return convert(source.replace(WIDE_CELL, '$1-left-out'), {
    wordwrap: false,
    // Deeply nested pages must not overflow the stack.
    limits: { maxDepth: 200, maxInputLength: MAX_INPUT_CHARS },
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
      { selector: 'img', format: 'skip' },
      // Not `form`: some servers wrap the whole page in one.
      ...SKIPPED.map((selector) => ({ selector, format: 'skip' })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    ],
  }).replace(/\n{3,}/g, '\n\n');
}
