import type { CDPSession, Page } from 'playwright-core';
import type { FrameViewer } from './types.ts';

const QUALITY = 60;

interface Watching {
  /** The frame that its window has not drawn yet; null where it can take one. */
  pending: number | null;
  /** The number of the last frame that it was sent. */
  sent: number;
}

interface Shot {
  readonly number: number;
  readonly data: string;
  readonly ack: () => void;
}

/**
 * Pictures of the current page for the windows that watch it: in memory only, the newest only. Chromium makes the
 * next one once a window has drawn the last; nothing is queued, and without a window nothing is made.
 */
export class LiveView {
  readonly #threadId: string;
  readonly #viewers = new Map<FrameViewer, Watching>();
  #page: Page | null = null;
  #session: CDPSession | null = null;
  #last: Shot | null = null;
  #count = 0;
  /** Starts and stops happen one after the other. */
  #changing: Promise<void> = Promise.resolve();

  constructor(threadId: string) {
    this.#threadId = threadId;
  }

  watch(viewer: FrameViewer): void {
    this.#viewers.set(viewer, { pending: null, sent: 0 });
    viewer.closed.addEventListener('abort', () => this.unwatch(viewer), { once: true });
    this.#apply();
    this.#offer();
  }

  unwatch(viewer: FrameViewer): void {
    if (this.#viewers.delete(viewer)) this.#apply();
  }

  drawn(number: number, viewer: FrameViewer): void {
    const watching = this.#viewers.get(viewer);
    if (watching === undefined || watching.pending !== number) return;
    watching.pending = null;
    if (this.#last?.number === number) this.#last.ack();
    this.#offer();
  }

  /** Shows another page; null for none. */
  show(page: Page | null): void {
    if (page === this.#page) return;
    this.#page = page;
    this.#last = null;
    this.#apply();
  }

  #apply(): void {
    const wanted = this.#viewers.size === 0 ? null : this.#page;
    this.#changing = this.#changing.then(async () => {
      try {
        await this.#stop(wanted);
        if (wanted !== null && this.#session === null) await this.#start(wanted);
      } catch {
        // The page is gone; the next one is shown instead.
        this.#session = null;
      }
    });
  }

  #shown: Page | null = null;

  async #stop(wanted: Page | null): Promise<void> {
    if (this.#session === null || this.#shown === wanted) return;
    const session = this.#session;
    this.#session = null;
    this.#shown = null;
    await session.detach();
  }

  async #start(page: Page): Promise<void> {
    if (page.isClosed()) return;
    const session = await page.context().newCDPSession(page);
    this.#session = session;
    this.#shown = page;
    session.on('Page.screencastFrame', ({ data, sessionId }) => {
      if (this.#session !== session) return;
      let isAcknowledged = false;
      const ack = (): void => {
        if (isAcknowledged) return;
        isAcknowledged = true;
        session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
      };
      this.#count += 1;
      this.#last = { number: this.#count, data, ack };
      this.#offer();
    });
    await session.send('Page.startScreencast', { format: 'jpeg', quality: QUALITY });
  }

  /** Sends the newest frame to the windows that have drawn the one before. */
  #offer(): void {
    const last = this.#last;
    if (last === null) return;
    for (const [viewer, watching] of this.#viewers) {
      if (watching.pending !== null || watching.sent === last.number) continue;
      watching.pending = last.number;
      watching.sent = last.number;
      viewer.showFrame({ threadId: this.#threadId, number: last.number, data: last.data }, () => {
        Object.assign(watching, { pending: null, sent: 0 });
        this.#offer();
      });
    }
  }
}
