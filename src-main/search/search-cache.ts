import type { Clock } from '../base/clock.ts';
import type { SearchResult } from './types.ts';

const KEPT_MS = 15 * 60_000;
const KEPT_ANSWERS = 200;

interface Kept {
  readonly at: number;
  readonly results: readonly SearchResult[];
}

/** Answers of providers for a quarter of an hour, in memory; the oldest go first. */
export class SearchCache {
  readonly #clock: Clock;
  readonly #answers = new Map<string, Kept>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Null where nothing is kept, or not any more. */
  get(key: string): readonly SearchResult[] | null {
    const kept = this.#answers.get(key);
    if (kept === undefined) return null;
    if (this.#clock.monotonic() - kept.at < KEPT_MS) return kept.results;
    this.#answers.delete(key);
    return null;
  }

  put(key: string, results: readonly SearchResult[]): void {
    this.#answers.delete(key);
    this.#answers.set(key, { at: this.#clock.monotonic(), results });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > KEPT_ANSWERS && oldest !== undefined) this.#answers.delete(oldest);
  }
}
