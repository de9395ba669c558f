import { AppError } from '#contract/errors.ts';
import { type FetchedDocument, fetchDocument } from '../egress/fetch.ts';
import type { EgressDoor } from '../egress/types.ts';

/** A page as text that a model can read. */
export interface ReadablePage {
  /** Where it came from, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

const MAX_PAGE_BYTES = 5 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml)\b|application\/javascript\b)/i;
const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml)\b/i;

/**
 * Gets a page over `door` and makes text of it. Nothing of the page is run or loaded: no scripts, no
 * pictures, no refresh. Throws what `fetchDocument` throws, and `FETCH_FAILED` for what is no text.
 */
export async function readPage(
  address: string,
  door: EgressDoor,
  signal: AbortSignal,
): Promise<ReadablePage> {
  const limits = { signal, maxBytes: MAX_PAGE_BYTES, timeoutMs: TIMEOUT_MS };
  const page = await fetchDocument(address, door, limits);
  const { url, status, contentType } = page;
  if (!TEXT_TYPE.test(contentType) && page.body.includes(0)) {
    throw new AppError(
      'FETCH_FAILED',
      `${url} is not text (${contentType === '' ? 'of no known type' : contentType}, ${page.body.length} bytes).`,
    );
  }
  const source = decode(page);
  const text =
    HTML_TYPE.test(contentType) || looksLikeHtml(source) ? await htmlText(source) : source;
  return { url, status, text: page.truncated ? `${text}\n[The page is longer.]` : text };
}

function decode({ body, contentType }: FetchedDocument): string {
  const declared =
    /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ??
    /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i.exec(
      body.subarray(0, 2048).toString('latin1'),
    )?.[1];
  try {
    return new TextDecoder(declared ?? 'utf-8').decode(body);
  } catch {
    // A name that no decoder has.
    return new TextDecoder().decode(body);
  }
}

function looksLikeHtml(source: string): boolean {
  return /^\s*(?:<!doctype html|<html[\s>])/i.test(source);
}

async function htmlText(source: string): Promise<string> {
  const { convert } = await import('html-to-text');
  return convert(source, {
    wordwrap: false,
    // Deeply nested pages must not cost the stack.
    limits: { maxDepth: 200, maxInputLength: MAX_PAGE_BYTES },
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
      { selector: 'img', format: 'skip' },
      ...['nav', 'footer', 'script', 'style', 'noscript', 'svg', 'iframe', 'form', 'button'].map(
        (selector) => ({ selector, format: 'skip' }),
      ),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    ],
  }).replace(/\n{3,}/g, '\n\n');
}
