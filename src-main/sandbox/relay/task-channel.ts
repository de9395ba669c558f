import type { Duplex } from 'node:stream';
import { EgressDenied } from '../../egress/denied.ts';
import { EgressProxy } from '../../egress/proxy/egress-proxy.ts';
import type { EgressClient } from '../../egress/types.ts';
import type { RuntimeChannel } from '../types.ts';

/**
 * The channel of one task: programs get the way out of the run that goes on, and none between runs,
 * though they may live on in the background.
 */
export class TaskChannel implements RuntimeChannel {
  readonly #proxy: EgressProxy;
  readonly #parent: TaskChannel | null;
  #egressClient: EgressClient | null = null;
  #takesCall: ((stream: Duplex) => void) | null = null;

  /** `parent`: the channel whose way out this one has too; calls are its own. */
  constructor(parent: TaskChannel | null = null) {
    this.#parent = parent;
    this.#proxy = new EgressProxy({
      connect: async (target, signal) => {
        const egressClient = this.#wayOut();
        if (egressClient !== null) return await egressClient.connect(target, signal);
        const message = 'No run of this task is going on, so nothing is let out.';
        throw new EgressDenied('no_run', message, target);
      },
      refuse: (denied) => this.#wayOut()?.refuse(denied),
    });
  }

  #wayOut(): EgressClient | null {
    if (this.#egressClient !== null || this.#parent === null) return this.#egressClient;
    return this.#parent.#wayOut();
  }

  onProxy(stream: Duplex): void {
    this.#proxy.serve(stream);
  }

  onCall(stream: Duplex): void {
    if (this.#takesCall === null) stream.destroy();
    else this.#takesCall(stream);
  }

  /** Lets programs out through `egressClient` until disposed. One run at a time: the later one counts. */
  open(egressClient: EgressClient): Disposable {
    this.#egressClient = egressClient;
    return {
      [Symbol.dispose]: () => {
        if (this.#egressClient === egressClient) this.#egressClient = null;
      },
    };
  }

  /** Hands calls of the helper module to `take` until disposed. */
  takeCalls(take: (stream: Duplex) => void): Disposable {
    this.#takesCall = take;
    return {
      [Symbol.dispose]: () => {
        if (this.#takesCall === take) this.#takesCall = null;
      },
    };
  }
}
