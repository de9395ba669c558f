import { AppError } from '#contract/errors.ts';
import { type FetchedDocument, fetchDocument } from '../egress/fetch.ts';
import type { EgressClient } from '../egress/types.ts';
import { decodeText } from './decode-text.ts';
import { documentKind } from './document-kind.ts';
import type { DocumentReader } from './document-reader.ts';
import { declaredCharset, looksLikeHtml } from './html-text.ts';

/** A page as text that a model can read. */
export interface ReadablePage {
  /** Where it came from, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

export interface PageOptions {
  readonly signal: AbortSignal;
  readonly documents: Pick<DocumentReader, 'extractText'>;
}

const MIB = 1024 * 1024;
/** Found out in what letters it is written, it is read several times; who asks gets a part of it. */
const MAX_PAGE_BYTES = 2 * MIB;
const MAX_DOCUMENT_BYTES = 25 * MIB;
const TIMEOUT_MS = 30_000;
/** One that takes longer to be made into text is made for that; the others wait behind it. */
const PARSE_MS = 15_000;
/** What servers say of a file of which they know nothing. */
const UNTOLD_TYPE =
  /^(?:application\/(?:octet-stream|x-download|force-download|zip)\b|binary\/|$)/i;
const DOCUMENTS: ReadonlySet<unknown> = new Set(['pdf', 'docx', 'xlsx']);
const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml)\b|application\/javascript\b)/i;
const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml)\b/i;

/**
 * Gets a page over egress client and makes text of it, as of a PDF, docx or xlsx. Nothing of the page is run or
 * loaded: no scripts, no pictures, no refresh. A page without text of its own has an empty one. Throws what
 * `fetchDocument` and `extractText` throw, and `FETCH_FAILED` for what is no text.
 */
export async function readPage(
  address: string,
  egressClient: EgressClient,
  { signal, documents }: PageOptions,
): Promise<ReadablePage> {
  const page = await fetchDocument(address, egressClient, {
    ...{ signal, timeoutMs: TIMEOUT_MS },
    maxBytes: (answer) =>
      documentOf(answer.contentType, answer.url.pathname) === null
        ? MAX_PAGE_BYTES
        : MAX_DOCUMENT_BYTES,
  });
  const { url, status, contentType, body, truncated } = page;
  const document = beginsAsPdf(page) ? 'pdf' : documentOf(contentType, new URL(url).pathname);
  if (document !== null) {
    if (truncated) throw unread(url, `is larger than ${Math.floor(body.length / MIB)} MB`);
    const { title, text } = await documents.extractText(body, { name: `page.${document}` }, signal);
    return { url, status, text: `${title}\n\n${text}` };
  }
  if (!TEXT_TYPE.test(contentType) && body.includes(0)) {
    const type = contentType === '' ? 'of no known type' : contentType;
    throw unread(url, `is not text (${type}, ${body.length} bytes)`);
  }
  const source = HTML_TYPE.test(contentType) ? null : decode(page);
  const text =
    source === null || looksLikeHtml(source) ? await htmlOf(page, { signal, documents }) : source;
  return { url, status, text: truncated ? `${text}\n[The page is longer.]` : text };
}

/** The text of a page, got where a page that takes for ever holds up nobody. */
async function htmlOf(
  { url, body, contentType }: FetchedDocument,
  { signal, documents }: PageOptions,
): Promise<string> {
  const type = contentType.replace(/^[^;]*/, 'text/html');
  const source = { name: 'page.html', contentType: type, timeMs: PARSE_MS };
  try {
    return (await documents.extractText(body, source, signal)).text;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.details.empty === true) return '';
    throw unread(url, `could not be made into text: ${error.message}`);
  }
}

/** Which kind of file with text an answer is by what its server says, or else by its name. */
function documentOf(contentType: string, pathname: string): string | null {
  const kind = documentKind(UNTOLD_TYPE.test(contentType) ? pathname : '', contentType);
  return DOCUMENTS.has(kind) ? kind : null;
}

function beginsAsPdf({ body }: FetchedDocument): boolean {
  return body.subarray(0, 5).toString('latin1') === '%PDF-';
}

function decode({ body, contentType }: FetchedDocument): string {
  const declared = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ?? declaredCharset(body);
  return decodeText(body, declared);
}

function unread(url: string, why: string): AppError {
  return new AppError('FETCH_FAILED', `${url} ${why.replace(/\.$/, '')}.`);
}
