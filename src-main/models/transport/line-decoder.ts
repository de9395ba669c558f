import { isUtf8 } from 'node:buffer';
import { TransportFailure } from './transport-failure.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BYTE_ORDER_MARK = '\ufeff';
const EMPTY = Buffer.alloc(0);

/**
 * Splits a byte stream into lines of text, which end with LF, CR or both, and drops a byte order mark at its
 * start. Works on bytes, where a line end is never part of a longer character, so characters split over two
 * chunks need no special care. Throws `TransportFailure` for a line over `maxBytes` and for bytes that are
 * not UTF-8.
 */
export class LineDecoder {
  readonly #maxBytes: number;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #isFirst = true;
  /** The last byte was a CR: an LF after it belongs to the same line end. */
  #afterReturn = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that `chunk` completes, without line ends; lines before an invalid one are still yielded. */
  *push(chunk: Buffer): Generator<string> {
    let start = this.#afterReturn && chunk[0] === NEWLINE ? 1 : 0;
    if (chunk.length > 0) this.#afterReturn = false;
    let newline = -1;
    let carriage = -1;
    for (;;) {
      if (newline < start) newline = positionOf(NEWLINE, chunk, start);
      if (carriage < start) carriage = positionOf(RETURN, chunk, start);
      const end = Math.min(newline, carriage);
      if (end === chunk.length) break;
      this.#keep(chunk.subarray(start, end));
      yield this.#take();
      start = end + (end === carriage && chunk[end + 1] === NEWLINE ? 2 : 1);
      this.#afterReturn = end === carriage && start === chunk.length && chunk[end + 1] !== NEWLINE;
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
    const isMarked = this.#isFirst && text.startsWith(BYTE_ORDER_MARK);
    this.#isFirst = false;
    return isMarked ? text.slice(1) : text;
  }
}

/** The next place of this byte; the length of the chunk if there is none. */
function positionOf(byte: number, chunk: Buffer, from: number): number {
  const at = chunk.indexOf(byte, from);
  return at === -1 ? chunk.length : at;
}
