import { canonicalJson, sha256 } from '../base/canonical-json.ts';
import type { SkillExecutionStore } from '../storage/skill-types.ts';
import type { SkillHost } from './types.ts';

/**
 * What an execution did already. Work is known by what it is and which time it is done, so that a second
 * life finds it in whatever order it asks. A piece has its number on disk before it begins: what it calls
 * is found in the ledger by it.
 */
export class SkillJournal {
  readonly #store: SkillExecutionStore;
  readonly #host: Pick<SkillHost, 'persist' | 'pause'>;
  readonly #executionId: string;
  readonly #times = new Map<string, number>();
  #highest: number | null = null;
  /** Entered, and perhaps not on disk yet. */
  readonly #fresh = new Map<string, number>();

  constructor(
    executionId: string,
    store: SkillExecutionStore,
    host: Pick<SkillHost, 'persist' | 'pause'>,
  ) {
    this.#executionId = executionId;
    this.#store = store;
    this.#host = host;
  }

  /** The result of `work` on `what`: as it was stored, or done now. What it throws is not remembered. */
  async do<Result>(
    kind: string,
    what: unknown,
    work: (number: number) => Promise<Result>,
  ): Promise<Result> {
    const subject = `${kind} ${sha256(canonicalJson(what)).slice(0, 32)}`;
    const time = (this.#times.get(subject) ?? 0) + 1;
    this.#times.set(subject, time);
    const key = `${subject} ${time}`;
    const known = this.#store.entry(this.#executionId, key);
    // Results are objects around the value, so that null is one.
    if (known !== null && known.result !== null) {
      return (known.result as { readonly value: Result }).value;
    }
    this.#host.pause?.throwIfAborted();
    const number = known?.number ?? this.#enter(key);
    const value = await work(number);
    this.#host.persist(() => this.#store.settle(this.#executionId, key, { value: value ?? null }));
    return value;
  }

  #enter(key: string): number {
    const entered = this.#fresh.get(key);
    if (entered !== undefined) return entered;
    this.#highest ??= this.#store.highest(this.#executionId);
    this.#highest += 1;
    const number = this.#highest;
    this.#fresh.set(key, number);
    this.#host.persist(() => this.#store.enter(this.#executionId, key, number));
    return number;
  }
}
