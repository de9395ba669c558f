import { existsSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '#contract/errors.ts';
import { documentKind } from './document-kind.ts';
import { DocumentThread } from './document-thread.ts';
import { parseDocument } from './parse-document.ts';
import {
  DOCUMENT_LIMITS,
  type DocumentKind,
  type DocumentLimits,
  type ExtractedDocument,
} from './types.ts';
import { unreadable } from './unreadable.ts';

export interface DocumentSource {
  /** Of the file, or the end of an address; only its ending counts. */
  readonly name: string;
  /** As a server said it. */
  readonly contentType?: string;
  /** For this one in the thread, milliseconds, where that is less than the limit for all. */
  readonly timeMs?: number;
}

/** Plain text up to this size is cheaper to read here than to send to the thread. */
const SMALL_BYTES = 64 * 1024;
const PLAIN_KINDS: ReadonlySet<string> = new Set(['text', 'markdown', 'code', 'csv']);

/** Makes text of documents. Disposing ends what is at work with `CANCELLED`. */
export class DocumentReader implements AsyncDisposable {
  readonly #limits: DocumentLimits;
  readonly #thread: DocumentThread;

  /** `root` is the app's folder. */
  constructor(root: string, limits: Partial<DocumentLimits> = {}) {
    this.#limits = { ...DOCUMENT_LIMITS, ...limits };
    this.#thread = new DocumentThread(workerFile(root), this.#limits);
  }

  /** Most bytes of a file. */
  get maxBytes(): number {
    return this.#limits.bytes;
  }

  /**
   * The text of a file. Throws `FILE_TOO_LARGE` over a limit of size, memory or time, and
   * `LIBRARY_UNREADABLE` for what is broken, locked, without text or of a kind that is not read.
   */
  async extractText(
    bytes: Uint8Array,
    { name, contentType = '', timeMs = Number.POSITIVE_INFINITY }: DocumentSource,
    signal?: AbortSignal,
  ): Promise<ExtractedDocument> {
    signal?.throwIfAborted();
    const kind = documentKind(name, contentType);
    if (kind === null) throw unreadable('It is of a kind that cannot be read as text.');
    if (bytes.byteLength > this.#limits.bytes) {
      const megabytes = Math.round(this.#limits.bytes / 1024 / 1024);
      throw new AppError('FILE_TOO_LARGE', `It is larger than ${megabytes} MB.`);
    }
    const charset = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1];
    const job = { name: path.basename(name), kind, charset, limits: this.#limits };
    // A copy: the thread takes the bytes away from whoever had them.
    const own = new Uint8Array(bytes);
    return isSmall(own, kind)
      ? await parseDocument(own, job)
      : await this.#thread.parse(
          own,
          { ...job, timeMs: Math.min(timeMs, this.#limits.timeMs) },
          signal,
        );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread[Symbol.asyncDispose]();
  }
}

function isSmall(bytes: Uint8Array, kind: DocumentKind): boolean {
  // A page, under whatever name: three kilobytes of table cells can be made to take seconds.
  if (kind === 'html' || bytes.subarray(0, 64).includes(0x3c)) return false;
  return PLAIN_KINDS.has(kind) && bytes.byteLength <= SMALL_BYTES;
}

/** Beside this file in the sources; in the build it is an entry of its own. */
function workerFile(root: string): string {
  const source = path.join(import.meta.dirname, 'document-worker.ts');
  return existsSync(source) ? source : path.join(root, 'out', 'main', 'document-worker.js');
}
