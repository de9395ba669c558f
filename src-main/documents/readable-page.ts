import { AppError } from '#contract/errors.ts';
import { type FetchedDocument, fetchDocument } from '../egress/fetch.ts';
import type { EgressClient } from '../egress/types.ts';
import { decodeText } from './decode-text.ts';
import { documentKind, isPacked } from './document-kind.ts';
import type { DocumentReader } from './document-reader.ts';
import { declaredCharset, looksLikeHtml } from './html-text.ts';

/** A web page as text for a model. */
export interface ReadablePage {
  /** The final address, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly text: string;
  /** Its text is there only once its scripts have run, by the form of its HTML. */
  readonly needsScripts: boolean;
}

export interface PageOptions {
  readonly signal: AbortSignal;
  readonly documents: Pick<DocumentReader, 'extractText'>;
}

/** Follows the text of a page that was not read whole. */
export const LONGER = '[The page is longer.]';

const MIB = 1024 * 1024;
/** Small, because detecting the encoding decodes a page several times; the reader gets only a part anyway. */
const MAX_PAGE_BYTES = 2 * MIB;
const MAX_DOCUMENT_BYTES = 25 * MIB;
const TIMEOUT_MS = 30_000;
/** A page that takes longer to convert is crafted to do so, and other documents wait behind it. */
const PARSE_MS = 15_000;
/** Media types that say nothing about the file. */
const GENERIC_TYPE =
  /^(?:application\/(?:octet-stream|x-download|force-download|zip)\b|binary\/|$)/i;
const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml)\b|application\/javascript\b)/i;
const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml)\b/i;

/**
 * Fetches a page, PDF, docx, pptx or xlsx file over the egress client and extracts its text. Nothing in the
 * page is run or loaded: no scripts, no pictures, no refresh. The text of a page without any is empty.
 * Throws what `fetchDocument` and `extractText` throw, and `FETCH_FAILED` for content that is not text.
 */
export async function readPage(
  address: string,
  egressClient: EgressClient,
  { signal, documents }: PageOptions,
): Promise<ReadablePage> {
  const page = await fetchDocument(address, egressClient, {
    signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: (answer) =>
      documentOf(answer.contentType, answer.url.pathname) === null
        ? MAX_PAGE_BYTES
        : MAX_DOCUMENT_BYTES,
  });
  const { url, status, contentType, body, truncated } = page;
  const document = beginsAsPdf(page) ? 'pdf' : documentOf(contentType, new URL(url).pathname);
  if (document !== null) {
    if (truncated) throw fetchFailed(url, `is larger than ${Math.floor(body.length / MIB)} MB`);
    const { title, text } = await documents.extractText(body, { name: `page.${document}` }, signal);
    return { url, status, text: `${title}\n\n${text}`, needsScripts: false };
  }
  if (!TEXT_TYPE.test(contentType) && body.includes(0)) {
    const type = contentType === '' ? 'unknown type' : contentType;
    throw fetchFailed(url, `is not text (${type}, ${body.length} bytes)`);
  }
  const source = HTML_TYPE.test(contentType) ? null : decode(page);
  const read =
    source === null || looksLikeHtml(source)
      ? await textOfHtml(page, { signal, documents })
      : { text: source, needsScripts: false };
  const text = truncated ? `${read.text}\n${LONGER}` : read.text;
  return { url, status, ...read, text };
}

/** The text of HTML, extracted in the thread, where a slow page does not block the app. Throws as `readPage`. */
export async function textOfHtml(
  { url, body, contentType }: Pick<FetchedDocument, 'url' | 'body' | 'contentType'>,
  { signal, documents }: PageOptions,
): Promise<Pick<ReadablePage, 'text' | 'needsScripts'>> {
  const type = contentType.replace(/^[^;]*/, 'text/html');
  const source = { name: 'page.html', contentType: type, timeMs: PARSE_MS };
  try {
    const { text, needsScripts = false } = await documents.extractText(body, source, signal);
    return { text, needsScripts };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.details.empty === true) {
      return { text: '', needsScripts: error.details.needsScripts === true };
    }
    throw fetchFailed(url, `could not be converted to text: ${error.message}`);
  }
}

/** The kind of document in an answer, by its media type or else its name; null for a page or anything else. */
function documentOf(contentType: string, pathname: string): string | null {
  const kind = documentKind(GENERIC_TYPE.test(contentType) ? pathname : '', contentType);
  return isPacked(kind) ? kind : null;
}

function beginsAsPdf({ body }: FetchedDocument): boolean {
  return body.subarray(0, 5).toString('latin1') === '%PDF-';
}

function decode({ body, contentType }: FetchedDocument): string {
  const declared = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ?? declaredCharset(body);
  return decodeText(body, declared);
}

function fetchFailed(url: string, why: string): AppError {
  return new AppError('FETCH_FAILED', `${url} ${why.replace(/\.$/, '')}.`);
}
