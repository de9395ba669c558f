import type { BrowserFrame } from '#contract/browser.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { EVENT_PAGE_SIZE } from '#contract/limits.ts';
import type { PushMessage } from '#contract/requests.ts';
import type { Notice, Subscriber } from '../api/types.ts';
import type { Dispose } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { RunService } from '../run/run-service.ts';

/** The log of runs, and what is added to it. */
export type RunLog = Pick<RunService, 'events' | 'listen'>;

/** One screen frame: sending more often costs the window more than it can show. */
const FRAME_MS = 16;

/** One window, whatever its transport. */
export interface Client {
  /** Aborts when the window is gone. */
  readonly closed: AbortSignal;
  /** Sends at once; never throws. */
  send(message: PushMessage): void;
  /** True while sent messages pile up. Then nothing more is sent until `onDrain`. */
  isCongested(): boolean;
  /** Calls back each time the congestion ends. */
  onDrain(listener: () => void): Dispose;
}

interface Subscription {
  readonly runId: string;
  /** The last event sent to the window. */
  lastSeq: number;
  /** The events after it, at most one page. Empty while `behind`. */
  pending: RunEvent[];
  /** The log has more events than `pending` holds; the next page is read from the log. */
  behind: boolean;
  readonly stopListening: Dispose;
}

/**
 * The messages for one window, which makes its requests through it. It holds at most one page of events per subscribed run: if the window
 * does not keep up, events are dropped and later read from the log again.
 */
export class ClientOutbox implements Subscriber {
  readonly #client: Client;
  readonly #runs: RunLog;
  readonly #logger: Logger;
  readonly #subscriptions = new Map<string, Subscription>();
  /** By subject: of two notices about the same subject only the later one matters. */
  readonly #notices = new Map<string, Notice>();
  /** Asks for the newest picture, by the task whose last one was dropped. */
  readonly #droppedFrames = new Map<string, () => void>();
  readonly #stopDrain: Dispose;
  #timer: NodeJS.Timeout | null = null;
  #lastFlushAt = Number.NEGATIVE_INFINITY;
  #disposed = false;

  constructor(client: Client, runs: RunLog, logger: Logger) {
    this.#client = client;
    this.#runs = runs;
    this.#logger = logger;
    this.#stopDrain = client.onDrain(() => {
      this.#schedule();
      this.#askForFrames();
    });
  }

  get closed(): AbortSignal {
    return this.#client.closed;
  }

  subscribe(runId: string, afterSeq: number): void {
    this.unsubscribe(runId);
    if (this.#disposed) return;
    const subscription: Subscription = {
      runId,
      lastSeq: afterSeq,
      pending: [],
      behind: true,
      stopListening: this.#runs.listen(runId, (events) => this.#take(subscription, events)),
    };
    this.#subscriptions.set(runId, subscription);
    this.#schedule();
  }

  unsubscribe(runId: string): void {
    this.#subscriptions.get(runId)?.stopListening();
    this.#subscriptions.delete(runId);
  }

  /** Sends the picture at once. One that the window cannot take now is dropped, never kept. */
  showFrame(frame: BrowserFrame, again: () => void): void {
    if (this.#disposed) return;
    if (this.#client.isCongested()) this.#droppedFrames.set(frame.threadId, again);
    else this.#client.send({ kind: 'browser_frame', frame });
  }

  notify(message: Notice): void {
    const key = noticeKey(message);
    // Deleted first, so that the map keeps the order of the latest notices.
    this.#notices.delete(key);
    this.#notices.set(key, message);
    this.#schedule();
  }

  dispose(): void {
    this.#disposed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#stopDrain();
    for (const runId of [...this.#subscriptions.keys()]) this.unsubscribe(runId);
    this.#notices.clear();
    this.#droppedFrames.clear();
  }

  #askForFrames(): void {
    const asking = [...this.#droppedFrames.values()];
    this.#droppedFrames.clear();
    for (const again of asking) again();
  }

  #take(subscription: Subscription, events: readonly RunEvent[]): void {
    if (!subscription.behind) {
      const { pending } = subscription;
      for (const event of events) {
        const expected = subscription.lastSeq + pending.length + 1;
        if (event.seq < expected) continue;
        if (event.seq > expected || pending.length === EVENT_PAGE_SIZE) {
          subscription.behind = true;
          subscription.pending = [];
          break;
        }
        pending.push(event);
      }
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#disposed || this.#timer !== null) return;
    const sinceLast = performance.now() - this.#lastFlushAt;
    this.#timer = setTimeout(() => this.#flush(), Math.max(0, FRAME_MS - sinceLast));
  }

  #flush(): void {
    this.#timer = null;
    this.#lastFlushAt = performance.now();
    for (const subscription of this.#subscriptions.values()) {
      if (this.#client.isCongested()) break;
      this.#sendEvents(subscription);
    }
    for (const [key, message] of this.#notices) {
      if (this.#client.isCongested()) break;
      this.#notices.delete(key);
      this.#client.send(message);
    }
    // `onDrain` continues from here.
    if (this.#client.isCongested()) return;
    for (const { behind } of this.#subscriptions.values()) {
      if (behind) this.#scheduleSoon();
    }
  }

  #sendEvents(subscription: Subscription): void {
    const events = subscription.behind ? this.#readPage(subscription) : subscription.pending;
    subscription.pending = [];
    const last = events.at(-1);
    if (last === undefined) return;
    subscription.lastSeq = last.seq;
    this.#client.send({ kind: 'events', runId: subscription.runId, events: [...events] });
  }

  #readPage(subscription: Subscription): readonly RunEvent[] {
    subscription.behind = false;
    try {
      const { runId, lastSeq } = subscription;
      const events = this.#runs.events(runId, lastSeq, EVENT_PAGE_SIZE);
      subscription.behind = events.length === EVENT_PAGE_SIZE;
      return events;
    } catch (error) {
      // A later event reveals the gap, and the log is read again.
      this.#logger.error('Could not read events for a window', {
        runId: subscription.runId,
        error,
      });
      return [];
    }
  }

  /** Catching up waits only for the next turn of the event loop, not for the next frame. */
  #scheduleSoon(): void {
    if (this.#timer === null) this.#timer = setTimeout(() => this.#flush(), 0);
  }
}

function noticeKey(message: Notice): string {
  switch (message.kind) {
    case 'run_changed':
      return `run ${message.run.id}`;
    case 'thread_changed':
      return `thread ${message.thread.id}`;
    case 'thread_deleted':
      return `thread ${message.threadId}`;
    case 'model_check':
      return `check ${message.model.provider}:${message.model.name} ${message.index}`;
    case 'model_pull':
      return `pull ${message.pull.model.provider}:${message.pull.model.name}`;
    case 'model_download':
      return `download ${message.download.id}`;
    case 'file_changed':
      return `file ${message.threadId} ${message.path}`;
    case 'app_changed':
      return `app ${message.app.threadId}`;
    case 'image_progress':
      return `image ${message.progress.toolCallId}`;
    case 'browser_changed':
      return `browser ${message.browser.threadId}`;
    case 'plan_changed':
      return `plan ${message.plan.runId}`;
    case 'egress':
      return `egress ${message.connection.id}`;
    case 'data_export':
    case 'artifacts_changed':
    case 'library_changed':
    case 'database_damaged':
    case 'skills_changed':
    case 'connectors_changed':
    case 'settings_changed':
    case 'waiting_changed':
    case 'sandbox_progress':
      return message.kind;
  }
}
