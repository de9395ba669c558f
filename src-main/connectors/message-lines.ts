import type { Duplex } from 'node:stream';
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { DEEPEST_JSON, nestsTooDeeply } from '../base/outside-json.ts';

/** The longest message of a server, in bytes. */
export const MOST_MESSAGE_BYTES = 8 * 1024 * 1024;
/** Messages that are handled at once; a server that sends more waits, by back-pressure. */
const BURST = 200;
const PAUSE_MS = 100;
/** Lines that are no messages, before the server counts as broken. */
const MOST_NOISE = 1_000;

/** Why a stream of messages ended. */
export type LinesProblem = 'too_long' | 'noise';

export interface MessageLinesParts {
  readonly onMessage: (message: JSONRPCMessage) => void;
  /** A line that is no message: what programs print by mistake. */
  readonly onNoise: (line: string) => void;
  readonly onEnd: (problem: LinesProblem | null) => void;
}

/** Messages over a stream, one JSON text in each line, from a program that is not trusted. */
export class MessageLines {
  readonly #stream: Duplex;
  readonly #parts: MessageLinesParts;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #noise = 0;
  #isOver = false;
  #allowance = BURST;
  #pause: NodeJS.Timeout | null = null;
  #hasEnded = false;
  /** Lines that wait for the pause to end. */
  #waiting: Buffer[] = [];

  constructor(stream: Duplex, parts: MessageLinesParts) {
    this.#stream = stream;
    this.#parts = parts;
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
    for (const event of ['error', 'end', 'close']) stream.once(event, () => this.#onStreamEnd());
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stream.write(`${JSON.stringify(message)}\n`, (error) =>
        error == null ? resolve() : reject(error),
      );
    });
  }

  close(): void {
    this.#isOver = true;
    if (this.#pause !== null) clearTimeout(this.#pause);
    this.#stream.destroy();
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return;
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#pieces.push(chunk.subarray(from, at));
      this.#bytes += at - from;
      if (this.#bytes > MOST_MESSAGE_BYTES) {
        this.#end('too_long');
        return;
      }
      this.#waiting.push(Buffer.concat(this.#pieces));
      this.#pieces = [];
      this.#bytes = 0;
      from = at + 1;
    }
    if (from < chunk.length) {
      // A copy: the chunk may be a part of a larger buffer.
      this.#pieces.push(Buffer.from(chunk.subarray(from)));
      this.#bytes += chunk.length - from;
    }
    if (this.#bytes > MOST_MESSAGE_BYTES) this.#end('too_long');
    else this.#handleWaiting();
  }

  #handleWaiting(): void {
    while (this.#waiting.length > 0 && !this.#isOver) {
      if (this.#allowance === 0) {
        this.#stream.pause();
        this.#startPause();
        return;
      }
      this.#allowance -= 1;
      this.#handle(this.#waiting.shift() ?? Buffer.alloc(0));
    }
    if (this.#hasEnded && this.#waiting.length === 0) this.#end(null);
    else if (this.#allowance < BURST) this.#startPause();
  }

  /** What came before the end is still handled, at its pace. */
  #onStreamEnd(): void {
    this.#hasEnded = true;
    if (!this.#isOver && this.#waiting.length === 0) this.#end(null);
  }

  #startPause(): void {
    this.#pause ??= setTimeout(() => {
      this.#pause = null;
      this.#allowance = BURST;
      if (this.#isOver) return;
      this.#handleWaiting();
      if (this.#waiting.length === 0) this.#stream.resume();
    }, PAUSE_MS).unref();
  }

  #handle(line: Buffer): void {
    const text = line.toString('utf8').trim();
    if (text === '') return;
    const message = messageIn(text);
    if (message !== null) {
      this.#parts.onMessage(message);
      return;
    }
    this.#noise += 1;
    if (this.#noise > MOST_NOISE) this.#end('noise');
    else this.#parts.onNoise(text.slice(0, 500));
  }

  #end(problem: LinesProblem | null): void {
    if (this.#isOver) return;
    this.close();
    this.#parts.onEnd(problem);
  }
}

function messageIn(text: string): JSONRPCMessage | null {
  try {
    const value: unknown = JSON.parse(text);
    return parseJSONRPCMessage(nestsTooDeeply(text) ? cutDeep(value) : value);
  } catch {
    // No JSON, or no message: the caller logs it.
    return null;
  }
}

/** The value with nothing below the depth that is safe for recursive functions: what it held there is null. */
function cutDeep(value: unknown): unknown {
  const pending = [{ value, depth: 0 }];
  for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
    const { value: parent, depth } = one;
    if (typeof parent !== 'object' || parent === null) continue;
    const children = parent as Record<string, unknown>;
    for (const [name, child] of Object.entries(children)) {
      if (depth + 1 < DEEPEST_JSON / 2) pending.push({ value: child, depth: depth + 1 });
      else if (typeof child === 'object') Object.defineProperty(children, name, { value: null });
    }
  }
  return value;
}

/** What both kinds of servers are reached by. */
export interface ConnectorTransport extends Transport {
  /** Why it ended, as far as the transport knows. */
  readonly problem: string | null;
}
