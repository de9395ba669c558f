/** What a search reads of the text: what has arrived of it and is still kept. */
export interface SearchedText {
  /** The first unit that is kept. */
  readonly kept: number;
  readonly length: number;
  /** The first place from `from` on at which all of `needle` has arrived; -1 without one. */
  indexOf(needle: string, from: number): number;
}

/**
 * Where one mark stands in a text that grows. What was searched is remembered, so that the text is
 * gone through once for a mark, however often and from wherever readers look for it.
 */
export class Occurrences {
  readonly #needle: string;
  readonly #found: number[] = [];
  /** Every place below, down to what is kept, has been searched. */
  #searched = 0;

  constructor(needle: string) {
    this.#needle = needle;
  }

  /** The first occurrence from `from` on, in what has arrived; infinity without one. */
  next(text: SearchedText, from: number): number {
    const known = this.#firstKnown(from);
    if (known !== undefined) return known;
    this.#searched = Math.max(this.#searched, text.kept);
    for (;;) {
      const at = text.indexOf(this.#needle, this.#searched);
      if (at < 0) {
        this.#searched = Math.max(this.#searched, text.length - this.#needle.length + 1);
        return Number.POSITIVE_INFINITY;
      }
      this.#found.push(at);
      this.#searched = at + 1;
      if (at >= from) return at;
    }
  }

  #firstKnown(from: number): number | undefined {
    const found = this.#found;
    let [low, high] = [0, found.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((found[middle] ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    return found[low];
  }
}
