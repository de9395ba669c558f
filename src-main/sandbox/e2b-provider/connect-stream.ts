import { z } from 'zod';
import { safeParse } from '#contract/safe-parse.ts';
import { parseOutsideJson } from '../../base/outside-json.ts';
import { E2bError, E2bUnreachableError } from './e2b-http.ts';

/**
 * Streams of the Connect protocol with its JSON codec: frames of one byte of flags, four of length
 * (big endian) and a JSON message; the last one is marked and carries the error, if there is one.
 */
const HEADER_BYTES = 5;
const COMPRESSED = 1;
const LAST = 2;
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** A message as a frame. */
export function encodeFrame(message: unknown): Buffer<ArrayBuffer> {
  const json = Buffer.from(JSON.stringify(message));
  const frame = Buffer.alloc(HEADER_BYTES + json.length);
  frame.writeUInt32BE(json.length, 1);
  json.copy(frame, HEADER_BYTES);
  return frame;
}

const EndOfStream = z.object({
  error: z.object({ code: z.string(), message: z.string().nullish() }).nullish(),
});

/** The Connect codes that we handle, as HTTP statuses. */
const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  resource_exhausted: 429,
  unavailable: 502,
};

/**
 * The messages of a stream, as they arrive. Throws `E2bError` if the stream reports one, and
 * `E2bUnreachableError` if it breaks or is silent for `idleMs`. Time in which the caller does not wait for
 * a message does not count.
 */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
  idleMs: number,
): AsyncGenerator<unknown> {
  const reader = body.getReader();
  const splitter = new FrameSplitter();
  try {
    for (;;) {
      const piece = await within(reader.read(), idleMs);
      if (piece.done) throw new E2bUnreachableError('the stream broke');
      for (const { flags, payload } of splitter.push(piece.value)) {
        if ((flags & COMPRESSED) !== 0) throw new E2bUnreachableError('a frame was compressed');
        const message = parseJson(payload);
        if ((flags & LAST) === 0) yield message;
        else return throwReportedError(message);
      }
    }
  } finally {
    // Harmless if it has ended; otherwise releases the connection.
    await reader.cancel().catch(() => undefined);
  }
}

function throwReportedError(message: unknown): void {
  const error = safeParse(EndOfStream, message).data?.error;
  if (error === undefined || error === null) return;
  throw new E2bError(STATUS_OF_CODE[error.code] ?? 500, error.message ?? error.code);
}

function parseJson(payload: Buffer): unknown {
  try {
    return parseOutsideJson(payload.toString('utf8'));
  } catch (cause) {
    throw new E2bUnreachableError('a frame was not JSON', { cause });
  }
}

interface Frame {
  readonly flags: number;
  readonly payload: Buffer;
}

/** Assembles frames from pieces, however they are cut. */
export class FrameSplitter {
  #pieces: Uint8Array[] = [];
  #length = 0;
  /** Size of the next frame; null until its header is complete. */
  #size: number | null = null;

  /** The frames that `piece` completes. Throws on one over the cap. */
  push(piece: Uint8Array): Frame[] {
    this.#pieces.push(piece);
    this.#length += piece.length;
    const frames: Frame[] = [];
    for (;;) {
      if (this.#length < HEADER_BYTES) return frames;
      this.#size ??= this.#join().readUInt32BE(1);
      const size = this.#size;
      if (size > MAX_FRAME_BYTES) throw new E2bUnreachableError(`a frame had ${size} bytes`);
      // Joined once per frame: it may arrive in as many pieces as it has bytes.
      if (this.#length < HEADER_BYTES + size) return frames;
      const whole = this.#join();
      const payload = whole.subarray(HEADER_BYTES, HEADER_BYTES + size);
      frames.push({ flags: whole.readUInt8(0), payload });
      this.#pieces = [whole.subarray(HEADER_BYTES + size)];
      this.#length = whole.length - HEADER_BYTES - size;
      this.#size = null;
    }
  }

  #join(): Buffer {
    const [only] = this.#pieces;
    const joined =
      this.#pieces.length === 1 && only !== undefined
        ? Buffer.from(only.buffer, only.byteOffset, only.byteLength)
        : Buffer.concat(this.#pieces);
    this.#pieces = [joined];
    return joined;
  }
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new E2bUnreachableError('the stream went silent'));
    timer = setTimeout(fail, ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    // The loser of the race may still fail; the winner was reported already.
    promise.catch(() => undefined);
  }
}
