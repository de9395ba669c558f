import { isUtf8 } from 'node:buffer';
import { TransportFailure } from './transport-failure.ts';

const NEWLINE = 0x0a;
const EMPTY = Buffer.alloc(0);

/**
 * Cuts a byte stream into lines of text. Works on bytes, where a newline can never be part of a
 * longer character, so a character split over two chunks needs no care. Throws `TransportFailure`
 * on a line over `maxBytes` and on bytes that are not UTF-8.
 */
export class LineDecoder {
  readonly #maxBytes: number;
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that `chunk` completes, without their line ends; those before a bad one are given. */
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

  /** What came after the last line end; the empty string when nothing did. */
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
