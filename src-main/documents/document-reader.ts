import path from 'node:path';
import { AppError } from '#contract/errors.ts';
import { workerFile } from '../base/worker-file.ts';
import { documentKind } from './document-kind.ts';
import { DocumentThread } from './document-thread.ts';
import { finishText, parseDocument } from './parse-document.ts';
import {
  DOCUMENT_LIMITS,
  type DocumentKind,
  type DocumentLimits,
  type ExtractedDocument,
  type ReadScans,
  type ScanWish,
} from './types.ts';
import { unreadable } from './unreadable.ts';

export interface DocumentSource {
  /** The name of the file, or the last part of a URL; only its extension counts. */
  readonly name: string;
  /** The `content-type` header of the server. */
  readonly contentType?: string;
  /** Time limit in milliseconds for this file; the limit for all files still applies. */
  readonly timeMs?: number;
  /** Reads scanned pages of a PDF by OCR, which can take long; not given, they are left out. */
  readonly scans?: ScanWish;
}

/** Plain text up to this size is cheaper to parse here than to send to the thread. */
const SMALL_BYTES = 64 * 1024;
const PLAIN_KINDS: ReadonlySet<string> = new Set(['text', 'markdown', 'code', 'csv']);

/** Extracts text from documents. Disposing ends running extractions with `CANCELLED`. */
export class DocumentReader implements AsyncDisposable {
  readonly #limits: DocumentLimits;
  readonly #thread: DocumentThread;
  readonly #readScans: ReadScans | null;

  /** `root` is the app's folder. */
  constructor(
    root: string,
    limits: Partial<DocumentLimits> = {},
    readScans: ReadScans | null = null,
  ) {
    this.#readScans = readScans;
    this.#limits = { ...DOCUMENT_LIMITS, ...limits };
    const file = workerFile('document-worker', { sourceDir: import.meta.dirname, root });
    this.#thread = new DocumentThread(file, this.#limits);
  }

  /** Size limit of a file. */
  get maxBytes(): number {
    return this.#limits.bytes;
  }

  /**
   * The text of a file. Throws `FILE_TOO_LARGE` if it exceeds a limit of size, memory or time, and
   * `LIBRARY_UNREADABLE` if it is damaged, locked, without text or of an unsupported kind.
   */
  async extractText(
    bytes: Uint8Array,
    { name, contentType = '', timeMs = Number.POSITIVE_INFINITY, scans }: DocumentSource,
    signal?: AbortSignal,
  ): Promise<ExtractedDocument> {
    signal?.throwIfAborted();
    const kind = documentKind(name, contentType);
    if (kind === null) throw unreadable('Files of this type cannot be read as text.');
    if (bytes.byteLength > this.#limits.bytes) {
      const megabytes = Math.round(this.#limits.bytes / 1024 / 1024);
      throw new AppError('FILE_TOO_LARGE', `It is larger than ${megabytes} MB.`);
    }
    const charset = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1];
    const job = { name: path.basename(name), kind, charset, limits: this.#limits };
    // A copy, because posting the bytes to the thread detaches the caller's buffer.
    const own = new Uint8Array(bytes);
    const { pages, ...document } = isSmall(own, kind)
      ? await parseDocument(own, job)
      : await this.#thread.parse(
          own,
          { ...job, timeMs: Math.min(timeMs, this.#limits.timeMs) },
          signal,
        );
    if (pages === undefined) return document;
    if (scans === undefined || this.#readScans === null) return withoutScans(document);
    const read = await this.#readScans(bytes, { ...scans, pages }, signal);
    const leftOut = [document.leftOut, read.leftOut].filter((part) => part !== null).join('; ');
    const parsed = { text: read.pages.join('\n\n'), leftOut: leftOut === '' ? null : leftOut };
    const nextPage = read.next === null ? {} : { nextPage: read.next };
    return { ...document, ...finishText(parsed, this.#limits), ...nextPage };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread[Symbol.asyncDispose]();
  }
}

function withoutScans(document: ExtractedDocument): ExtractedDocument {
  if (document.text !== '') return document;
  throw unreadable(
    'It has pages but no text, so it is probably a scan. Add the text with an OCR program.',
  );
}

function isSmall(bytes: Uint8Array, kind: DocumentKind): boolean {
  // HTML, whatever its name: three kilobytes of table cells can take seconds to convert.
  if (kind === 'html' || bytes.subarray(0, 64).includes(0x3c)) return false;
  return PLAIN_KINDS.has(kind) && bytes.byteLength <= SMALL_BYTES;
}
