import { toErrorEnvelope } from '#contract/errors.ts';
import type { ReadScans } from '../documents/types.ts';
import type { FromIndex, ScanReply } from './index-messages.ts';

/** The other side of `ScanCalls`, in the app. Disposing aborts what is being read. */
export class ScanAnswers implements Disposable {
  readonly #readScans: ReadScans;
  readonly #post: (reply: ScanReply) => void;
  readonly #running = new Map<number, AbortController>();

  constructor(readScans: ReadScans, post: (reply: ScanReply) => void) {
    this.#readScans = readScans;
    this.#post = post;
  }

  async answer({ id, bytes, pages }: FromIndex & { readonly kind: 'scan' }): Promise<void> {
    const stop = new AbortController();
    this.#running.set(id, stop);
    const onPage = (progress: { readonly page: number; readonly pages: number }): void =>
      this.#post({ kind: 'scan_page', id, progress });
    try {
      const scanned = await this.#readScans(bytes, { pages, onPage }, stop.signal);
      this.#post({ kind: 'scanned', id, scanned });
    } catch (error) {
      this.#post({ kind: 'scan_failed', id, error: toErrorEnvelope(error) });
    } finally {
      this.#running.delete(id);
    }
  }

  abort(id: number): void {
    this.#running.get(id)?.abort();
  }

  [Symbol.dispose](): void {
    for (const stop of this.#running.values()) stop.abort();
  }
}
