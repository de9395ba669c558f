import type { Dispose } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { ClientOutbox } from './client-outbox.ts';
import type { Broadcast, Client, RunApi } from './types.ts';

/**
 * Routes events and notices to windows. Each window has an outbox; its subscribed events arrive in
 * order, without gaps or duplicates, however slow the window is.
 */
export class PushHub {
  readonly #runs: Pick<RunApi, 'events' | 'listen'>;
  readonly #logger: Logger;
  readonly #outboxes = new Map<Client, ClientOutbox>();

  constructor(runs: Pick<RunApi, 'events' | 'listen'>, logger: Logger) {
    this.#runs = runs;
    this.#logger = logger;
  }

  /** Sends broadcasts to the window until it closes or the returned function is called. */
  attach(client: Client): Dispose {
    const outbox = new ClientOutbox(client, this.#runs, this.#logger);
    this.#outboxes.set(client, outbox);
    const detach = (): void => {
      if (this.#outboxes.delete(client)) outbox.dispose();
    };
    client.closed.addEventListener('abort', detach, { once: true });
    return detach;
  }

  /** Pushes the run's events after `afterSeq`; a second subscription replaces the first. */
  subscribe(client: Client, runId: string, afterSeq: number): void {
    this.#outboxes.get(client)?.subscribe(runId, afterSeq);
  }

  unsubscribe(client: Client, runId: string): void {
    this.#outboxes.get(client)?.unsubscribe(runId);
  }

  readonly broadcast: Broadcast = (notice) => {
    for (const outbox of this.#outboxes.values()) outbox.notify(notice);
  };

  dispose(): void {
    for (const outbox of this.#outboxes.values()) outbox.dispose();
    this.#outboxes.clear();
  }
}
