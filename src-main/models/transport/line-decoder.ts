import { isUtf8 } from 'node:buffer';
import { TransportFailure } from './transport-failure.ts';

const NEWLINE = 0x0a;
const EMPTY = Buffer.alloc(0);

/**
 * Splits a byte stream into lines of text. Works on bytes, where a newline is never part of a longer
 * character, so characters split over two chunks need no special care. Throws `TransportFailure` for a
 * line over `maxBytes` and for bytes that are not UTF-8.
 */
export class LineDecoder {
  readonly #maxBytes: number;
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that `chunk` completes, without line ends; lines before an invalid one are still yielded. */
  *push(chunk: Buffer): Generator<string> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      this.#keep(chunk.subarray(start, end));
      yield this.#take();
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** The text after the last line end; empty if there is none. */
  end(): string {
    return this.#take();
  }

  #keep(piece: Buffer): void {
    this.#pendingBytes += piece.length;
    if (this.#pendingBytes > this.#maxBytes) {
      throw new TransportFailure('malformed', `a line is longer than ${this.#maxBytes} bytes`);
    }
    this.#pending.push(piece);
  }

  #take(): string {
    const [first = EMPTY] = this.#pending;
    const bytes = this.#pending.length > 1 ? Buffer.concat(this.#pending) : first;
    this.#pending = [];
    this.#pendingBytes = 0;
    if (!isUtf8(bytes)) throw new TransportFailure('malformed', 'a line is not UTF-8');
    const text = bytes.toString('utf8');
    return text.endsWith('\r') ? text.slice(0, -1) : text;
  }
}
