import { AppError } from '#contract/errors.ts';
import { decodeText, looksLikeText } from './decode-text.ts';
import { declaredCharset, htmlText, htmlTitle, looksLikeHtml } from './html-text.ts';
import { needsScripts } from './needs-scripts.ts';
import type { DocumentKind, DocumentLimits, ExtractedDocument } from './types.ts';
import { unreadable } from './unreadable.ts';

export type TextLimits = Pick<DocumentLimits, 'chars' | 'pages' | 'unpackedBytes'>;

/** The result of the parser for one format. */
export interface ParsedText {
  /** Empty if the format has none. */
  readonly title: string;
  readonly text: string;
  readonly leftOut: string | null;
  /** Of a PDF of which some may be scans: the text of each page. */
  readonly pages?: readonly string[];
  /** Of HTML: its text is there only once its scripts have run. */
  readonly needsScripts?: true;
}

/** A document as the thread gives it: with its pages, where some may be scans, and then perhaps without text. */
export interface ParsedDocument extends ExtractedDocument {
  readonly pages?: readonly string[];
}

export interface ParseJob {
  /** Name of the file, without folders. */
  readonly name: string;
  readonly kind: DocumentKind;
  readonly charset?: string | undefined;
  readonly limits: TextLimits;
}

const MAX_TITLE = 200;

/** The text of a document, in the thread or outside. Throws `LIBRARY_UNREADABLE`, `FILE_TOO_LARGE`. */
export async function parseDocument(
  bytes: Uint8Array<ArrayBuffer>,
  { name, kind, charset, limits }: ParseJob,
): Promise<ParsedDocument> {
  const { pages, ...parsed } = await parseKind(bytes, { name, kind, charset, limits });
  const title = titleLine(parsed.title) || titleLine(name) || 'Untitled';
  if (pages !== undefined && cleanText(parsed.text) === '') {
    return { kind, title, text: '', leftOut: parsed.leftOut, pages };
  }
  const shell = parsed.needsScripts === true ? { needsScripts: true as const } : {};
  const document = { kind, title, ...finishText(parsed, limits), ...shell };
  return pages === undefined ? document : { ...document, pages };
}

/** Text in its final form. Throws `LIBRARY_UNREADABLE` if there is none. */
export function finishText(
  { text: raw, leftOut, needsScripts }: Omit<ParsedText, 'title' | 'pages'>,
  { chars }: Pick<DocumentLimits, 'chars'>,
): Pick<ExtractedDocument, 'text' | 'leftOut'> {
  const text = cleanText(raw);
  if (text === '') {
    throw new AppError('LIBRARY_UNREADABLE', 'It contains no text.', {
      details: { empty: true, needsScripts: needsScripts === true },
    });
  }
  return text.length > chars
    ? { text: cutAt(text, chars), leftOut: `everything after the first ${chars} characters` }
    : { text, leftOut };
}

async function parseKind(
  bytes: Uint8Array<ArrayBuffer>,
  { kind, charset, limits }: ParseJob,
): Promise<ParsedText> {
  switch (kind) {
    case 'pdf':
      return (await import('./parsers/pdf.ts')).parsePdf(bytes, limits);
    case 'docx':
      return (await import('./parsers/docx.ts')).parseDocx(bytes, limits);
    case 'pptx':
      return (await import('./parsers/pptx.ts')).parsePptx(bytes, limits);
    case 'xlsx':
      return (await import('./parsers/xlsx.ts')).parseXlsx(bytes, limits);
    case 'html':
      return await parseHtml(plainText(bytes, charset ?? declaredCharset(bytes)));
    case 'text':
    case 'csv':
    case 'code':
    case 'markdown': {
      const text = plainText(bytes, charset);
      if (kind === 'text' && looksLikeHtml(text)) return await parseHtml(text);
      return { title: kind === 'markdown' ? firstHeading(text) : '', text, leftOut: null };
    }
  }
}

function plainText(bytes: Uint8Array, charset: string | undefined): string {
  if (!looksLikeText(bytes)) throw unreadable('It is not text, although its name says so.');
  return decodeText(bytes, charset);
}

async function parseHtml(source: string): Promise<ParsedText> {
  const [title, text] = [await htmlTitle(source), await htmlText(source)];
  const shell = needsScripts(source, text) ? { needsScripts: true as const } : {};
  return { title, text, leftOut: null, ...shell };
}

function firstHeading(text: string): string {
  return /^#{1,3}[ \t]+(.{1,300})$/m.exec(text.slice(0, 5_000))?.[1] ?? '';
}

/** Without control characters, which databases and terminals mishandle, and without half characters. */
function cleanText(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
      .replaceAll(/[\0-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, ' ')
      .toWellFormed()
      .trim()
  );
}

function titleLine(title: string): string {
  const line = cleanText(title)
    .replaceAll(/[\s\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim();
  return line.length > MAX_TITLE ? `${cutAt(line, MAX_TITLE - 1)}…` : line;
}

/** The first `length` characters, without half a surrogate pair at the end. */
function cutAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
