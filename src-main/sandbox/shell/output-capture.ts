import type { OutputChunk } from '../types.ts';

export interface OutputLimits {
  /** UTF-16 units of a stream's head, and as many of its tail, that the result keeps. */
  readonly keptUnits: number;
  /** UTF-16 units of both streams together that are streamed while the command runs. */
  readonly streamedUnits: number;
}

export const DEFAULT_OUTPUT_LIMITS: OutputLimits = {
  keptUnits: 512 * 1024,
  streamedUnits: 4 * 1024 * 1024,
};

/** For a program whose output is not kept. */
export const STREAM_ONLY: OutputLimits = {
  keptUnits: 0,
  streamedUnits: Number.POSITIVE_INFINITY,
};

/**
 * The output of one command: decoded as it arrives (broken UTF-8 becomes U+FFFD, never an error), streamed
 * up to a limit, kept as head and tail.
 */
export class OutputCapture {
  readonly stdout: CapturedStream;
  readonly stderr: CapturedStream;
  readonly #limits: OutputLimits;
  readonly #onOutput: (chunk: OutputChunk) => void;
  #streamed = 0;

  constructor(onOutput: (chunk: OutputChunk) => void, limits: OutputLimits) {
    this.#onOutput = onOutput;
    this.#limits = limits;
    const forward = (chunk: OutputChunk): void => this.#forward(chunk);
    this.stdout = new CapturedStream('stdout', limits.keptUnits, forward);
    this.stderr = new CapturedStream('stderr', limits.keptUnits, forward);
  }

  #forward(chunk: OutputChunk): void {
    const { streamedUnits } = this.#limits;
    if (this.#streamed > streamedUnits) return;
    this.#streamed += chunk.text.length;
    if (this.#streamed <= streamedUnits) {
      this.#onOutput(chunk);
      return;
    }
    const text = `\n[no more output is shown: the command printed more than ${streamedUnits} characters]\n`;
    this.#onOutput({ ...chunk, text });
  }
}

class CapturedStream {
  readonly #name: 'stdout' | 'stderr';
  readonly #keptUnits: number;
  readonly #forward: (chunk: OutputChunk) => void;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #length = 0;
  #head = '';
  #tail: string[] = [];
  #tailLength = 0;

  constructor(name: 'stdout' | 'stderr', keptUnits: number, forward: (chunk: OutputChunk) => void) {
    this.#name = name;
    this.#keptUnits = keptUnits;
    this.#forward = forward;
  }

  push(bytes: Buffer): void {
    this.#take(this.#decoder.decode(bytes, { stream: true }));
  }

  /** Ends the stream; an incomplete character becomes U+FFFD. Returns the kept output. */
  finish(): string {
    this.#take(this.#decoder.decode());
    const tail = this.#tail.join('').slice(-this.#keptUnits);
    const cut = this.#length - this.#head.length - tail.length;
    return cut === 0
      ? this.#head + tail
      : `${this.#head}\n[… ${cut} characters are left out here …]\n${tail}`;
  }

  #take(text: string): void {
    if (text === '') return;
    this.#forward({ stream: this.#name, offset: this.#length, text });
    this.#length += text.length;
    const room = this.#keptUnits - this.#head.length;
    this.#head += text.slice(0, room);
    if (text.length > room) this.#keepTail(text.slice(room));
  }

  #keepTail(text: string): void {
    this.#tail.push(text);
    this.#tailLength += text.length;
    for (let first = this.#tail[0]; first !== undefined; first = this.#tail[0]) {
      if (this.#tailLength - first.length < this.#keptUnits) return;
      this.#tail.shift();
      this.#tailLength -= first.length;
    }
  }
}
