import type { ReportFormat } from '#contract/vocabulary.ts';
import type { Conversation } from './collect-conversation.ts';
import { conversationToHtml } from './conversation-html.ts';
import { conversationToMarkdown } from './conversation-markdown.ts';
import { type ExportedReport, fileNameOf, MIME_TYPES } from './export-report.ts';
import { withoutPictures } from './markdown-pictures.ts';
import { conversationToPdf } from './report-pdf.ts';

/** A picture as it is put into a file: decoded and written again, so that nothing but pixels is in it. */
export interface InlinePicture {
  readonly mimeType: 'image/png' | 'image/jpeg';
  readonly data: Uint8Array;
}

/** Of all pictures of one file, in bytes. */
const PICTURES_LIMIT = 24 * 1024 * 1024;

/**
 * A conversation as a file that needs nothing else. `picture` reads one of the task; null if there is none that
 * can be shown.
 */
export async function exportConversation(
  conversation: Conversation,
  format: ReportFormat,
  picture: (path: string) => Promise<InlinePicture | null>,
): Promise<ExportedReport> {
  const fileName = `${fileNameOf(conversation.title, 'conversation')}.${format}`;
  const pictures = format === 'md' ? new Map() : await picturesOf(conversation, picture);
  const render = {
    md: async () => Buffer.from(await withoutPictures(conversationToMarkdown(conversation))),
    html: async () => Buffer.from(await conversationToHtml(conversation, pictures)),
    pdf: () => conversationToPdf(conversation, pictures),
  };
  return { fileName, mimeType: MIME_TYPES[format], data: await render[format]() };
}

async function picturesOf(
  { blocks }: Conversation,
  picture: (path: string) => Promise<InlinePicture | null>,
): Promise<Map<string, InlinePicture>> {
  const found = new Map<string, InlinePicture>();
  let bytes = 0;
  for (const block of blocks) {
    if (block.kind !== 'picture' || found.has(block.path)) continue;
    const one = await picture(block.path);
    if (one === null || bytes + one.data.byteLength > PICTURES_LIMIT) continue;
    bytes += one.data.byteLength;
    found.set(block.path, one);
  }
  return found;
}
