import type { RunEvent } from '#contract/events/run-event.ts';
import { EVENT_PAGE_SIZE } from '#contract/limits.ts';
import type { HyperagentBridge } from '#contract/requests.ts';
import { foldEvents } from './fold-events.ts';
import { emptyRunView, type RunView } from './run-view.ts';

export interface RunFeedOptions {
  readonly bridge: Pick<HyperagentBridge, 'request'>;
  /** Calls back once per frame of the screen, or a little later where nothing is drawn. */
  readonly schedule: (callback: () => void) => void;
  /** Called once per frame with every view that changed since the last call. */
  readonly publish: (views: readonly RunView[]) => void;
  readonly onProblem: (runId: string, message: string) => void;
}

interface Feed {
  view: RunView;
  queue: RunEvent[];
  /** `catching_up` reads pages of the log and buffers pushed events until it has read them all. */
  phase: 'catching_up' | 'live' | 'closed';
}

/** Most events that one frame folds; the others wait for the next, so that the screen stays responsive. */
const EVENTS_PER_FRAME = 20_000;

/**
 * Turns logs and pushes into views. A log is read page by page without showing the steps on the
 * way, then pushed events are folded in once per frame. At a gap the log is read again from the
 * last event that is known.
 */
export class RunFeed {
  readonly #options: RunFeedOptions;
  readonly #feeds = new Map<string, Feed>();
  #scheduled = false;

  constructor(options: RunFeedOptions) {
    this.#options = options;
  }

  /** Reads the run's log and, if `follow`, goes on with what is pushed. Idempotent. */
  async open(runId: string, follow: boolean): Promise<void> {
    if (this.#feeds.has(runId)) return;
    const feed: Feed = { view: emptyRunView(runId), queue: [], phase: 'catching_up' };
    this.#feeds.set(runId, feed);
    if (!(await this.#catchUp(runId, feed))) {
      // Opening the task again retries.
      if (feed.phase !== 'closed') this.#feeds.delete(runId);
      return;
    }
    this.#options.publish([feed.view]);
    if (follow && feed.view.end === null) await this.#follow(runId, feed);
  }

  close(runId: string): void {
    const feed = this.#feeds.get(runId);
    if (feed === undefined) return;
    feed.phase = 'closed';
    this.#feeds.delete(runId);
    void this.#options.bridge.request('runs.unsubscribe', { runId });
  }

  receive(runId: string, events: readonly RunEvent[]): void {
    const feed = this.#feeds.get(runId);
    if (feed === undefined) return;
    for (const event of events) feed.queue.push(event);
    this.#schedule();
  }

  async #follow(runId: string, feed: Feed): Promise<void> {
    const afterSeq = feed.view.lastSeq;
    const result = await this.#options.bridge.request('runs.subscribe', { runId, afterSeq });
    if (!result.ok) this.#options.onProblem(runId, result.error.message);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#options.schedule(() => this.#flush());
  }

  #flush(): void {
    this.#scheduled = false;
    const changed: RunView[] = [];
    for (const [runId, feed] of this.#feeds) {
      if (feed.phase !== 'live' || feed.queue.length === 0) continue;
      const before = feed.view;
      const hasGap = this.#foldQueue(feed);
      if (feed.view !== before) changed.push(feed.view);
      if (hasGap) void this.#fillGap(runId, feed);
      else if (feed.view.end !== null && before.end === null) this.#leave(runId);
      if (feed.queue.length > 0) this.#schedule();
    }
    if (changed.length > 0) this.#options.publish(changed);
  }

  /** Folds buffered events, at most a frame's worth. True if an event is missing in between. */
  #foldQueue(feed: Feed): boolean {
    const batch = feed.queue.splice(0, EVENTS_PER_FRAME);
    feed.view = foldEvents(feed.view, batch);
    return (batch.at(-1)?.seq ?? 0) > feed.view.lastSeq;
  }

  async #fillGap(runId: string, feed: Feed): Promise<void> {
    feed.phase = 'catching_up';
    const before = feed.view;
    await this.#catchUp(runId, feed);
    if (feed.view !== before) this.#options.publish([feed.view]);
  }

  /** Reads pages until one is empty or short. False when the log could not be read. */
  async #catchUp(runId: string, feed: Feed): Promise<boolean> {
    for (;;) {
      const afterSeq = feed.view.lastSeq;
      const result = await this.#options.bridge.request('runs.events', {
        runId,
        afterSeq,
        limit: EVENT_PAGE_SIZE,
      });
      if (feed.phase === 'closed') return false;
      if (!result.ok) {
        this.#options.onProblem(runId, result.error.message);
        feed.phase = 'live';
        return false;
      }
      feed.view = foldEvents(feed.view, result.data.events);
      if (feed.view.lastSeq === afterSeq || feed.view.lastSeq >= result.data.lastSeq) break;
    }
    feed.phase = 'live';
    if (feed.queue.length > 0) this.#schedule();
    return true;
  }

  #leave(runId: string): void {
    void this.#options.bridge.request('runs.unsubscribe', { runId });
  }
}

/**
 * Calls back before the next frame is drawn, or after `fallbackMs` where none is: a hidden window
 * draws nothing, and pushed events must not pile up.
 */
export function scheduleFrame(callback: () => void, fallbackMs = 250): void {
  let done = false;
  const once = (): void => {
    if (done) return;
    done = true;
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    callback();
  };
  const timer = setTimeout(once, fallbackMs);
  const frame = requestAnimationFrame(once);
}
