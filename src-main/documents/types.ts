/** What a document is; it decides how its text is got. */
export type DocumentKind = 'text' | 'markdown' | 'code' | 'html' | 'csv' | 'pdf' | 'docx' | 'xlsx';

export interface ExtractedDocument {
  /** One line; the file's own title, or else its name. */
  readonly title: string;
  /** With `\n` as line ends and an empty line between paragraphs, as far as the file has such. */
  readonly text: string;
  readonly kind: DocumentKind;
  /** What is not in `text` although it is in the file, in words for the person; null for nothing. */
  readonly leftOut: string | null;
}

export interface DocumentLimits {
  /** Of the file. */
  readonly bytes: number;
  /** Of its text; what is over is left out. */
  readonly chars: number;
  /** Of a PDF; what is over is left out. */
  readonly pages: number;
  /** Of everything in an archive together, unpacked. */
  readonly unpackedBytes: number;
  /** For one file in the thread, milliseconds. */
  readonly timeMs: number;
  /** That one file may take beyond what the process had. */
  readonly memoryBytes: number;
}

const MIB = 1024 * 1024;

export const DOCUMENT_LIMITS: DocumentLimits = {
  bytes: 50 * MIB,
  chars: 5_000_000,
  pages: 3_000,
  unpackedBytes: 300 * MIB,
  timeMs: 60_000,
  memoryBytes: 1024 * MIB,
};
