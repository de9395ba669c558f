import type { ParsedText, TextLimits } from '../parse-document.ts';
import { unreadable } from '../unreadable.ts';

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
    if (pages.every((text) => text.trim() === '')) {
      throw unreadable(
        'It has pages but no text, so it is probably a scan. Add the text with an OCR program.',
      );
    }
    return {
      title: await titleOf(document),
      text: pages.join('\n\n'),
      leftOut: pages.length < document.numPages ? `everything after page ${pages.length}` : null,
    };
  } finally {
    await document.loadingTask.destroy();
  }
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
