import type { Clock } from '../base/clock.ts';
import type { Resolve } from './types.ts';

/** How long addresses count as current. */
const CURRENT_MS = 5 * 60_000;
/** How long a connection waits for the address of another host. */
const PATIENCE_MS = 2_000;

interface Known {
  readonly addresses: readonly string[];
  readonly at: number;
}

/**
 * The addresses of hosts that every connection is compared with. Each is looked up once in five minutes; a name server
 * that does not answer holds nothing up, and what was known before holds on.
 */
export class RememberedAddresses {
  readonly #resolve: Resolve;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();
  readonly #asked = new Map<string, Promise<readonly string[]>>();

  constructor(resolve: Resolve, clock: Clock) {
    this.#resolve = resolve;
    this.#clock = clock;
  }

  /** Empty where there are none, or none are known in time. Throws the signal's reason. */
  async addressesOf(host: string, signal: AbortSignal): Promise<readonly string[]> {
    signal.throwIfAborted();
    const known = this.#known.get(host);
    if (known !== undefined && this.#clock.monotonic() - known.at < CURRENT_MS) {
      return known.addresses;
    }
    const asked = this.#asked.get(host) ?? this.#ask(host);
    const { promise: tooLate, resolve } = Promise.withResolvers<readonly string[]>();
    const timer = setTimeout(() => resolve(known?.addresses ?? []), PATIENCE_MS);
    const found = await Promise.race([asked, tooLate]);
    clearTimeout(timer);
    signal.throwIfAborted();
    return found;
  }

  /** Never rejects. */
  #ask(host: string): Promise<readonly string[]> {
    const before = this.#known.get(host)?.addresses ?? [];
    const asked = this.#resolve(host, new AbortController().signal)
      .catch(() => before)
      .then((addresses) => {
        this.#known.set(host, { addresses, at: this.#clock.monotonic() });
        this.#asked.delete(host);
        return addresses;
      });
    this.#asked.set(host, asked);
    return asked;
  }
}
