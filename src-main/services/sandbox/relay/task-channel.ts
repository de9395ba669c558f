import type { Duplex } from 'node:stream';
import { EgressDenied } from '../../egress/denied.ts';
import { EgressProxy } from '../../egress/proxy/egress-proxy.ts';
import type { EgressDoor } from '../../egress/types.ts';
import type { RuntimeChannel } from '../types.ts';

/**
 * The channel of one task: programs get the way out of the run that goes on, and none between runs,
 * though they may live on in the background.
 */
export class TaskChannel implements RuntimeChannel {
  readonly #proxy: EgressProxy;
  #door: EgressDoor | null = null;
  #takesCall: ((stream: Duplex) => void) | null = null;

  constructor() {
    this.#proxy = new EgressProxy({
      connect: async (target, signal) => {
        if (this.#door !== null) return await this.#door.connect(target, signal);
        const message = 'No run of this task is going on, so nothing is let out.';
        throw new EgressDenied('no_run', message, target);
      },
      refuse: (denied) => this.#door?.refuse(denied),
    });
  }

  onProxy(stream: Duplex): void {
    this.#proxy.serve(stream);
  }

  onCall(stream: Duplex): void {
    if (this.#takesCall === null) stream.destroy();
    else this.#takesCall(stream);
  }

  /** Lets programs out through `door` until disposed. One run at a time: the later one counts. */
  open(door: EgressDoor): Disposable {
    this.#door = door;
    return {
      [Symbol.dispose]: () => {
        if (this.#door === door) this.#door = null;
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
