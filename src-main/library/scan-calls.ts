import { AppError } from '#contract/errors.ts';
import type { ReadScans, ScannedPages, ScanProgress } from '../documents/types.ts';
import type { FromIndex, ScanReply } from './index-messages.ts';

interface Pending {
  readonly resolve: (scanned: ScannedPages) => void;
  readonly reject: (error: unknown) => void;
  readonly onPage: ((progress: ScanProgress) => void) | undefined;
}

/**
 * Reads scans for the thread of the index by asking the app for it: only the app itself can start processes in every
 * entry point.
 */
export class ScanCalls {
  readonly #post: (message: FromIndex) => void;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  constructor(post: (message: FromIndex) => void) {
    this.#post = post;
  }

  readonly read: ReadScans = async (bytes, { pages, onPage }, signal) => {
    signal?.throwIfAborted();
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<ScannedPages>();
    this.#pending.set(id, { resolve, reject, onPage });
    const onAbort = (): void => this.#post({ kind: 'scan_abort', id });
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      this.#post({ kind: 'scan', id, bytes, pages });
      return await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.#pending.delete(id);
    }
  };

  receive(reply: ScanReply): void {
    const call = this.#pending.get(reply.id);
    switch (reply.kind) {
      case 'scan_page':
        call?.onPage?.(reply.progress);
        return;
      case 'scanned':
        call?.resolve(reply.scanned);
        return;
      case 'scan_failed':
        call?.reject(new AppError(reply.error.code, reply.error.message));
        return;
    }
  }
}
