import type { ErrorEnvelope } from '#contract/errors.ts';
import type { HyperagentBridge, RequestInput, RequestResult } from '#contract/requests.ts';

/** Main lays out and draws one at a time; more would only wait there. */
const AT_ONCE = 2;
/** Pictures in memory: those of the strip, and some large ones. */
const KEPT = 160;

/** A page of a presentation as it is to be drawn. */
export type WantedPage = Pick<RequestInput<'slides.draw'>, 'hash' | 'page' | 'width'>;

export type DrawnPage =
  | { readonly ok: true; readonly png: string }
  | { readonly ok: false; readonly error: ErrorEnvelope };

interface Waiting {
  readonly page: WantedPage;
  readonly give: (drawn: DrawnPage) => void;
}

/** Pictures of the pages of one presentation. What was asked for last is drawn first: it is in sight. */
export class PageCache {
  readonly #bridge: Pick<HyperagentBridge, 'request'>;
  readonly #file: Pick<RequestInput<'slides.draw'>, 'threadId' | 'path'>;
  readonly #drawn = new Map<string, Promise<RequestResult<'slides.draw'>>>();
  #queue: Waiting[] = [];
  #running = 0;

  constructor(
    bridge: Pick<HyperagentBridge, 'request'>,
    file: Pick<RequestInput<'slides.draw'>, 'threadId' | 'path'>,
  ) {
    this.#bridge = bridge;
    this.#file = file;
  }

  /** Calls `give` once the page is drawn or cannot be, unless the returned function was called before. */
  request(page: WantedPage, give: (drawn: DrawnPage) => void): () => void {
    let isWanted = true;
    const waiting: Waiting = {
      page,
      give: (drawn) => {
        if (isWanted) give(drawn);
      },
    };
    this.#queue.push(waiting);
    this.#next();
    return () => {
      isWanted = false;
      this.#queue = this.#queue.filter((other) => other !== waiting);
    };
  }

  #next(): void {
    while (this.#running < AT_ONCE) {
      const waiting = this.#queue.pop();
      if (waiting === undefined) return;
      this.#running += 1;
      void this.#draw(waiting).finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
  }

  async #draw({ page, give }: Waiting): Promise<void> {
    const key = `${page.hash} ${page.page} ${page.width}`;
    const drawing =
      this.#drawn.get(key) ?? this.#bridge.request('slides.draw', { ...this.#file, ...page });
    this.#drawn.delete(key);
    this.#drawn.set(key, drawing);
    const [oldest] = this.#drawn.keys();
    if (this.#drawn.size > KEPT && oldest !== undefined) this.#drawn.delete(oldest);
    const result = await drawing;
    // The next look may succeed.
    if (!result.ok) this.#drawn.delete(key);
    give(result.ok ? { ok: true, png: result.data.png } : result);
  }
}
