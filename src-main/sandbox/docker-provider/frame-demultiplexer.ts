import { type Duplex, Readable } from 'node:stream';

const HEADER_BYTES = 8;
const STDOUT = 1;
const STDERR = 2;
/** Engines copy in pieces of 32 kB; a longer frame is not from one. */
const MAX_FRAME_BYTES = 1024 * 1024;

/** The two output streams of a process, from an engine's single connection. */
export interface DemultiplexedStreams {
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/**
 * Splits `connection` by its frames: stream, three zeros, length, payload. Payloads are passed on as they
 * arrive; a reader that pauses pauses the connection. A frame of an unknown kind or over the cap breaks
 * both streams, because nothing after it can be parsed.
 */
export function demultiplex(connection: Duplex): DemultiplexedStreams {
  const resume = (): void => void connection.resume();
  const stdout = new Readable({ read: resume });
  const stderr = new Readable({ read: resume });
  const splitter = new FrameSplitter((kind, payload) => {
    const target = kind === STDOUT ? stdout : stderr;
    if (!target.push(payload)) connection.pause();
  });
  connection.on('data', (chunk: Buffer) => {
    try {
      splitter.push(chunk);
    } catch (error) {
      connection.destroy(error as Error);
    }
  });
  connection.once('end', () => {
    stdout.push(null);
    stderr.push(null);
  });
  connection.once('error', (error) => {
    stdout.destroy(error);
    stderr.destroy(error);
  });
  connection.once('close', () => {
    stdout.destroy();
    stderr.destroy();
  });
  return { stdout, stderr };
}

export class FrameSplitter {
  readonly #onPayload: (kind: number, payload: Buffer) => void;
  #header = Buffer.alloc(0);
  #kind = 0;
  #missing = 0;

  constructor(onPayload: (kind: number, payload: Buffer) => void) {
    this.#onPayload = onPayload;
  }

  /** Throws on a frame that no engine sends. */
  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#missing === 0) {
        rest = this.#takeHeader(rest);
        continue;
      }
      const payload = rest.subarray(0, this.#missing);
      this.#missing -= payload.length;
      rest = rest.subarray(payload.length);
      this.#onPayload(this.#kind, payload);
    }
  }

  #takeHeader(bytes: Buffer): Buffer {
    const part = bytes.subarray(0, HEADER_BYTES - this.#header.length);
    this.#header = Buffer.concat([this.#header, part]);
    if (this.#header.length === HEADER_BYTES) {
      this.#kind = this.#header.readUInt8(0);
      this.#missing = this.#header.readUInt32BE(4);
      this.#header = Buffer.alloc(0);
      if (this.#kind !== STDOUT && this.#kind !== STDERR) {
        throw new Error(`The engine sent a frame of unknown kind ${this.#kind}`);
      }
      if (this.#missing > MAX_FRAME_BYTES) {
        throw new Error(`The engine sent a frame of ${this.#missing} bytes`);
      }
    }
    return bytes.subarray(part.length);
  }
}
