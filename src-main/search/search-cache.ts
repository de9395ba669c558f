import type { Clock } from '../base/clock.ts';
import type { SearchResult } from './types.ts';

const MAX_AGE_MS = 15 * 60_000;
const MAX_ANSWERS = 200;

interface Entry {
  readonly at: number;
  readonly results: readonly SearchResult[];
}

/** Answers of providers, entry in memory for 15 minutes; the oldest are dropped first. */
export class SearchCache {
  readonly #clock: Clock;
  readonly #answers = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Null if there is no entry, or it has expired. */
  get(key: string): readonly SearchResult[] | null {
    const entry = this.#answers.get(key);
    if (entry === undefined) return null;
    if (this.#clock.monotonic() - entry.at < MAX_AGE_MS) return entry.results;
    this.#answers.delete(key);
    return null;
  }

  put(key: string, results: readonly SearchResult[]): void {
    this.#answers.delete(key);
    this.#answers.set(key, { at: this.#clock.monotonic(), results });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MAX_ANSWERS && oldest !== undefined) this.#answers.delete(oldest);
  }
}
