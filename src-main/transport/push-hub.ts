import type { Broadcast } from '../api/types.ts';
import type { Logger } from '../base/logger.ts';
import { type Client, ClientOutbox, type RunLog } from './client-outbox.ts';

/**
 * Routes events and notices to windows. Each window has an outbox; its subscribed events arrive in
 * order, without gaps or duplicates, however slow the window is.
 */
export class PushHub {
  readonly #runs: RunLog;
  readonly #logger: Logger;
  readonly #outboxes = new Set<ClientOutbox>();

  constructor(runs: RunLog, logger: Logger) {
    this.#runs = runs;
    this.#logger = logger;
  }

  /** Sends broadcasts to the window until it closes. The window makes its requests as the returned caller. */
  attach(client: Client): ClientOutbox {
    const outbox = new ClientOutbox(client, this.#runs, this.#logger);
    this.#outboxes.add(outbox);
    const detach = (): void => {
      if (this.#outboxes.delete(outbox)) outbox.dispose();
    };
    client.closed.addEventListener('abort', detach, { once: true });
    return outbox;
  }

  readonly broadcast: Broadcast = (notice) => {
    for (const outbox of this.#outboxes) outbox.notify(notice);
  };

  dispose(): void {
    for (const outbox of this.#outboxes) outbox.dispose();
    this.#outboxes.clear();
  }
}
