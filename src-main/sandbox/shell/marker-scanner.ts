const SEPARATOR = 0x1e;
/** Longest text of a mark after its nonce; no real mark is that long, so a longer one is broken. */
const MAX_MARK_BYTES = 128;

/**
 * Finds the end mark `RS nonce SP words RS` in a byte stream. Bytes that may be the beginning of the
 * mark are withheld until that is clear, so the mark may be split anywhere and may
 * follow output without a line end. The nonce is random and new for every command, so nothing that a
 * program prints by chance, or copies from a file, is taken for it.
 */
export class MarkerScanner {
  readonly #opening: Buffer;
  #pending: Buffer = Buffer.alloc(0);

  constructor(nonce: string) {
    this.#opening = Buffer.from(`\u001e${nonce} `, 'latin1');
  }

  /**
   * Passes on the output before the mark and returns the words of the mark once it is complete; none if it is
   * broken. Bytes after a mark belong to no command and are dropped.
   */
  push(chunk: Buffer, onOutput: (bytes: Buffer) => void): readonly string[] | null {
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const found = bytes.indexOf(this.#opening);
    const start = found >= 0 ? found : this.#startOfPossibleMark(bytes);
    if (start > 0) onOutput(bytes.subarray(0, start));
    this.#pending = bytes.subarray(start);
    if (found < 0) return null;
    const end = this.#pending.indexOf(SEPARATOR, this.#opening.length);
    if (end >= 0) return this.#pending.toString('latin1', this.#opening.length, end).split(' ');
    return this.#pending.length > this.#opening.length + MAX_MARK_BYTES ? [] : null;
  }

  /** The withheld bytes, for a stream that ended without its mark. */
  takePending(): Buffer {
    const pending = this.#pending;
    this.#pending = Buffer.alloc(0);
    return pending;
  }

  /** Index at which the tail of `bytes` could begin the mark; the length of `bytes` if nowhere. */
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
