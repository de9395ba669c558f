import type { ParsedText, TextLimits } from '../parse-document.ts';
import { unreadable } from '../unreadable.ts';

/** A page number, a stamp. */
const FEW_CHARS = 20;

/** The part of PDF.js that is used. */
interface PdfItem {
  readonly str?: string;
  readonly hasEOL?: boolean;
}

/**
 * The text of a PDF, page by page. PDF.js is set up to run no scripts of the document, to load nothing
 * that it references, and to compile nothing.
 */
export async function parsePdf(bytes: Uint8Array, limits: TextLimits): Promise<ParsedText> {
  // Before PDF.js, which takes the bytes over.
  const hasPictures = holdsPictures(bytes);
  const { getDocumentProxy } = await import('unpdf');
  const document = await getDocumentProxy(bytes, {
    useSystemFonts: false,
    disableFontFace: true,
    useWorkerFetch: false,
    disableAutoFetch: true,
    enableXfa: false,
    verbosity: 0,
  }).catch((error: unknown) => {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw isLocked
      ? unreadable('It is protected by a password. Save a copy without the password.')
      : unreadable('It is damaged, or not a PDF.', error);
  });
  try {
    const pages: string[] = [];
    let chars = 0;
    const last = Math.min(document.numPages, limits.pages);
    for (let number = 1; number <= last && chars <= limits.chars; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const text = pageText(items as readonly PdfItem[]);
      pages.push(text);
      chars += text.length;
      page.cleanup();
    }
    const mayHaveScans = hasPictures || pages.some((text) => text.length < FEW_CHARS);
    return {
      title: await titleOf(document),
      text: pages.join('\n\n'),
      ...(mayHaveScans ? { pages } : {}),
      leftOut: pages.length < document.numPages ? `everything after page ${pages.length}` : null,
    };
  } finally {
    await document.loadingTask.destroy();
  }
}

/** Pictures are streams, whose dictionaries are never packed: their type stands in the file. */
function holdsPictures(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return /\/Subtype\s*\/Image\b/.test(text);
}

function pageText(items: readonly PdfItem[]): string {
  return items
    .map(({ str = '', hasEOL = false }) => (hasEOL ? `${str}\n` : str))
    .join('')
    .replaceAll(/[ \t]+\n/g, '\n')
    .trim();
}

async function titleOf(document: {
  getMetadata(): Promise<{ readonly info: object }>;
}): Promise<string> {
  try {
    const { info } = await document.getMetadata();
    const title = (info as { Title?: unknown }).Title;
    return typeof title === 'string' ? title : '';
  } catch {
    // The title is optional: failing to read it must not lose the text.
    return '';
  }
}
