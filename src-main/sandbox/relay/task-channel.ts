import type { Duplex } from 'node:stream';
import { EgressDenied } from '../../egress/denied.ts';
import { EgressProxy } from '../../egress/proxy/egress-proxy.ts';
import type { EgressClient } from '../../egress/types.ts';
import type { RuntimeChannel } from '../types.ts';

/**
 * The channel of one task: programs get the egress of the current run, and none between runs, although they
 * may continue in the background.
 */
export class TaskChannel implements RuntimeChannel {
  readonly #proxy: EgressProxy;
  readonly #parent: TaskChannel | null;
  #egressClient: EgressClient | null = null;
  #callHandler: ((stream: Duplex) => void) | null = null;

  /** `parent`: the channel whose egress this one shares; its calls are separate. */
  constructor(parent: TaskChannel | null = null) {
    this.#parent = parent;
    this.#proxy = new EgressProxy({
      connect: async (target, signal) => {
        const egressClient = this.#currentEgress();
        if (egressClient !== null) return await egressClient.connect(target, signal);
        const message = 'No run of this task is active, so it has no network access.';
        throw new EgressDenied('no_run', message, target);
      },
      refuse: (denied) => this.#currentEgress()?.refuse(denied),
    });
  }

  #currentEgress(): EgressClient | null {
    if (this.#egressClient !== null || this.#parent === null) return this.#egressClient;
    return this.#parent.#currentEgress();
  }

  onProxy(stream: Duplex): void {
    this.#proxy.serve(stream);
  }

  onCall(stream: Duplex): void {
    if (this.#callHandler === null) stream.destroy();
    else this.#callHandler(stream);
  }

  /** Gives programs egress through `egressClient` until disposed. One run at a time: the latest counts. */
  open(egressClient: EgressClient): Disposable {
    this.#egressClient = egressClient;
    return {
      [Symbol.dispose]: () => {
        if (this.#egressClient === egressClient) this.#egressClient = null;
      },
    };
  }

  /** Passes calls of the helper module to `take` until disposed. */
  takeCalls(take: (stream: Duplex) => void): Disposable {
    this.#callHandler = take;
    return {
      [Symbol.dispose]: () => {
        if (this.#callHandler === take) this.#callHandler = null;
      },
    };
  }
}
