const SEPARATOR = 0x1e;
/** Longest text of a mark after its nonce; there is no such mark, so a longer one is broken. */
const MAX_MARK_BYTES = 128;

/**
 * Finds the end mark `RS nonce SP words RS` in a byte stream. Bytes that may be the beginning of the
 * mark are held back until it is clear whether they are, so the mark may be split anywhere and may
 * follow output without a line end. The nonce is random and new for every command, so nothing that a
 * program prints by chance, or copies from a file, is taken for it.
 */
export class MarkerScanner {
  readonly #opening: Buffer;
  #held: Buffer = Buffer.alloc(0);

  constructor(nonce: string) {
    this.#opening = Buffer.from(`\u001e${nonce} `, 'latin1');
  }

  /**
   * Hands on the output that stands before the mark and returns the words of the mark once it is
   * whole; none if it is broken. What follows a mark belongs to no command and is dropped.
   */
  push(chunk: Buffer, onOutput: (bytes: Buffer) => void): readonly string[] | null {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const found = bytes.indexOf(this.#opening);
    const start = found >= 0 ? found : this.#startOfPossibleMark(bytes);
    if (start > 0) onOutput(bytes.subarray(0, start));
    this.#held = bytes.subarray(start);
    if (found < 0) return null;
    const end = this.#held.indexOf(SEPARATOR, this.#opening.length);
    if (end >= 0) return this.#held.toString('latin1', this.#opening.length, end).split(' ');
    return this.#held.length > this.#opening.length + MAX_MARK_BYTES ? [] : null;
  }

  /** What was held back, for a stream that ended without its mark. */
  takeHeld(): Buffer {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    return held;
  }

  /** Where the tail of `bytes` could be the first part of the opening; its length if nowhere. */
  #startOfPossibleMark(bytes: Buffer): number {
    const last = bytes.lastIndexOf(SEPARATOR);
    const tail = bytes.length - last;
    const isPrefix =
      last >= 0 &&
      tail < this.#opening.length &&
      bytes.subarray(last).equals(this.#opening.subarray(0, tail));
    return isPrefix ? last : bytes.length;
  }
}
