import { AppError } from '#contract/errors.ts';
import { decodeText } from '../documents/decode-text.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import { declaredCharset, htmlText, looksLikeHtml } from '../documents/html-text.ts';
import { type FetchedDocument, fetchDocument } from '../egress/fetch.ts';
import type { EgressDoor } from '../egress/types.ts';

/** A page as text that a model can read. */
export interface ReadablePage {
  /** Where it came from, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

export interface PageOptions {
  readonly signal: AbortSignal;
  /** Reads what is no page but has text: PDF, docx, xlsx; without it these are refused. */
  readonly documents?: Pick<DocumentReader, 'extractText'> | null;
}

const MAX_PAGE_BYTES = 5 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
/** Types and beginnings of files that have text and are no pages. */
const DOCUMENT_TYPE =
  /^application\/(?:pdf|vnd\.openxmlformats-officedocument\.(?:wordprocessingml|spreadsheetml)\b)/i;
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
  { signal, documents = null }: PageOptions,
): Promise<ReadablePage> {
  const limits = { signal, maxBytes: MAX_PAGE_BYTES, timeoutMs: TIMEOUT_MS };
  const page = await fetchDocument(address, door, limits);
  const { url, status, contentType } = page;
  if (documents !== null && isDocument(page)) {
    const name = beginsAsPdf(page) ? 'page.pdf' : new URL(url).pathname;
    const { title, text } = await documents.extractText(page.body, { name, contentType }, signal);
    return { url, status, text: `${title}\n\n${text}` };
  }
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

function isDocument(page: FetchedDocument): boolean {
  return !page.truncated && (DOCUMENT_TYPE.test(page.contentType) || beginsAsPdf(page));
}

function beginsAsPdf({ body }: FetchedDocument): boolean {
  return body.subarray(0, 5).toString('latin1') === '%PDF-';
}

function decode({ body, contentType }: FetchedDocument): string {
  const declared = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ?? declaredCharset(body);
  return decodeText(body, declared);
}
