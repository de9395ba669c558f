import { htmlText } from '../html-text.ts';
import type { ParsedText, TextLimits } from '../parse-document.ts';
import { unreadable } from '../unreadable.ts';
import { checkZip } from '../zip-check.ts';

/** The text of a Word document, through HTML, which preserves tables and lists. Pictures are ignored. */
export async function parseDocx(bytes: Uint8Array, limits: TextLimits): Promise<ParsedText> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  checkZip(buffer, limits.unpackedBytes);
  const { default: mammoth } = await import('mammoth');
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer },
      { convertImage: mammoth.images.imgElement(async () => ({ src: '' })) },
    );
    return { title: '', text: await htmlText(value), leftOut: null };
  } catch (error) {
    throw unreadable('It is damaged, or not a Word document in the docx format.', error);
  }
}
