/** The kind of a document; it decides how its text is extracted. */
export type DocumentKind =
  | 'text'
  | 'markdown'
  | 'code'
  | 'html'
  | 'csv'
  | 'pdf'
  | 'docx'
  | 'pptx'
  | 'xlsx';

export interface ExtractedDocument {
  /** One line; the file's own title, or else its name. */
  readonly title: string;
  /** Lines end with `\n`; an empty line separates paragraphs, if the file has any. */
  readonly text: string;
  readonly kind: DocumentKind;
  /** What `text` lacks of the file, in words for the user; null if it is complete. */
  readonly leftOut: string | null;
  /** The first page that was not read although it was there, because enough text was; absent if there is none. */
  readonly nextPage?: number;
  /** Of HTML: its text is there only once its scripts have run. */
  readonly needsScripts?: true;
}

/** What is wanted of the scanned pages of a PDF. */
export interface ScanWish {
  /** Enough text; pages after it are left out. Not given, all are read. */
  readonly chars?: number;
  readonly onPage?: (progress: ScanProgress) => void;
}

/** A page that is looked at now. */
export interface ScanProgress {
  readonly page: number;
  readonly pages: number;
}

export interface ScanRequest extends ScanWish {
  /** The text that the PDF itself has, page by page. */
  readonly pages: readonly string[];
}

export interface ScannedPages {
  readonly pages: readonly string[];
  /** As in `ExtractedDocument`. */
  readonly leftOut: string | null;
  /** The first page that was not read; null if there is none. */
  readonly next: number | null;
}

/** Reads the scanned pages of a PDF; their text says how it was read, and how surely. */
export type ReadScans = (
  bytes: Uint8Array,
  request: ScanRequest,
  signal?: AbortSignal,
) => Promise<ScannedPages>;

export interface DocumentLimits {
  /** Size of the file. */
  readonly bytes: number;
  /** Length of the text; the rest is left out. */
  readonly chars: number;
  /** Pages of a PDF; the rest is left out. */
  readonly pages: number;
  /** Unpacked size of everything in an archive together. */
  readonly unpackedBytes: number;
  /** Milliseconds for one file in the thread. */
  readonly timeMs: number;
  /** Memory that one file may take beyond what the process uses already. */
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
