import { canonicalJson, sha256 } from '../base/canonical-json.ts';
import type { SkillExecutionStore } from '../storage/skill-types.ts';
import type { SkillHost } from './types.ts';

/**
 * What an execution has already done. A piece of work is identified by its kind, its input and its repetition,
 * so that a resumed execution finds it in any order. Its number is on disk before it begins: the ledger finds
 * its calls by that number.
 */
export class SkillJournal {
  readonly #store: SkillExecutionStore;
  readonly #host: Pick<SkillHost, 'persist' | 'pause'>;
  readonly #executionId: string;
  readonly #times = new Map<string, number>();
  #highest: number | null = null;
  /** Numbers that are assigned, and perhaps not on disk yet. */
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

  /** The stored result of `work` on `what`, or does it now. Errors are not stored. */
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
    // Results wrap the value, so that null can be a result.
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
