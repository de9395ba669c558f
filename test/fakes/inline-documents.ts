import type { DocumentReader } from '#main/documents/document-reader.ts';
import { parseDocument } from '#main/documents/parse-document.ts';
import { DOCUMENT_LIMITS } from '#main/documents/types.ts';
import { unreadable } from '#main/documents/unreadable.ts';

/** The parser of pages itself, without its thread, for tests of other things; no file is read. */
export const inlineDocuments: Pick<DocumentReader, 'extractText'> = {
  extractText: async (bytes, { name, contentType = '' }) => {
    if (!/^text\/html\b/i.test(contentType)) throw unreadable(`${name} is not read here.`);
    const charset = /charset=([\w-]+)/.exec(contentType)?.[1];
    const job = { name, kind: 'html' as const, charset, limits: DOCUMENT_LIMITS };
    return await parseDocument(new Uint8Array(bytes), job);
  },
};
