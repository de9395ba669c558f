import { basename } from 'node:path/posix';
import { AppError } from '#contract/errors.ts';
import { documentKind, isPacked, type PackedKind } from '../documents/document-kind.ts';
import { DOCUMENT_LIMITS } from '../documents/types.ts';
import type { WorkspaceFiles } from '../sandbox/types.ts';
import type { ToolParts } from './define-tool.ts';
import { requireOffset, SHOWN_CHARS, textFrom } from './text-part.ts';
import type { ToolContext, ToolOutput } from './types.ts';

export function beginsAsPdf(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 5)).toString('latin1') === '%PDF-';
}

/** The kind of a file that must be unpacked to be read, by its first bytes and its name; null for others. */
export function packedKind(head: Uint8Array, path: string): PackedKind | null {
  if (beginsAsPdf(head)) return 'pdf';
  if (Buffer.from(head.subarray(0, 4)).toString('latin1') !== 'PK\x03\x04') return null;
  const kind = documentKind(path);
  return isPacked(kind) && kind !== 'pdf' ? kind : null;
}

/**
 * The text of a PDF, of a Word document, a presentation or a workbook, from an offset in it. Of a scan, only the pages that it
 * takes are read by OCR, and each says so. A stage names the page that is being read.
 */
export async function readDocument(
  path: string,
  files: Pick<WorkspaceFiles, 'read'>,
  {
    kind,
    offset,
    documents,
    context: { emit, signal, toolCallId, agent },
  }: Pick<ToolParts, 'documents'> & {
    readonly kind: PackedKind;
    readonly offset: number;
    readonly context: Pick<ToolContext, 'emit' | 'signal' | 'toolCallId' | 'agent'>;
  },
): Promise<ToolOutput> {
  const { data: bytes, size: fileSize } = await files.read(path, DOCUMENT_LIMITS.bytes + 1);
  const stage = { type: 'stage' as const, name: `scan ${toolCallId}`, agent };
  let reads = 0;
  try {
    const { text, leftOut, nextPage } = await documents.extractText(
      bytes,
      {
        name: `document.${kind}`,
        scans: {
          chars: offset + SHOWN_CHARS,
          onPage: ({ page, pages }) => {
            reads += 1;
            const description = `Reading page ${page} of ${pages} of ${basename(path)}`;
            emit({ ...stage, status: 'running', description });
          },
        },
      },
      signal,
    );
    const utf8 = Buffer.from(text);
    const onward = nextPage === undefined ? {} : { onward: `the text before page ${nextPage}` };
    const place = { offset, size: utf8.length, ...onward };
    requireOffset(path, place);
    const shown = textFrom(utf8.subarray(offset), place);
    const isEnd = nextPage === undefined && leftOut !== null;
    return isEnd ? { ...shown, content: `${shown.content}\n[Missing: ${leftOut}.]` } : shown;
  } catch (error) {
    if (!(error instanceof AppError) || signal.aborted || error.code === 'BAD_REQUEST') throw error;
    const content = `${path} (${kind}, ${fileSize} bytes) cannot be read as text. ${error.message}`;
    return { content, ok: false };
  } finally {
    if (reads > 0) {
      emit({ ...stage, status: 'completed', description: `Looked for scans in ${basename(path)}` });
    }
  }
}
