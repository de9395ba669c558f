/** Kinds of relay frames; `resources/sandbox/relay.py` has the same list. */
export const FRAME = { hello: 0, open: 1, data: 2, end: 3, reset: 4, credit: 5 } as const;

/** Bytes of one stream that may be in flight in one direction. */
export const WINDOW_BYTES = 256 * 1024;
const HEADER_BYTES = 9;
const EMPTY: Buffer = Buffer.alloc(0);
/** Our relay sends no longer frames. */
const MAX_FRAME_BYTES = 64 * 1024;

export interface Frame {
  readonly streamId: number;
  readonly kind: number;
  readonly content: Buffer;
}

export function encodeFrame(streamId: number, kind: number, content: Buffer = EMPTY): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + content.length);
  frame.writeUInt32BE(streamId, 0);
  frame.writeUInt8(kind, 4);
  frame.writeUInt32BE(content.length, 5);
  content.copy(frame, HEADER_BYTES);
  return frame;
}

/** Assembles frames from a byte stream that may be cut anywhere. */
export class FrameReader {
  #buffered: Buffer = EMPTY;

  /** The frames that `chunk` completes. Throws on one that is too long. */
  push(chunk: Buffer): Frame[] {
    const bytes = this.#buffered.length === 0 ? chunk : Buffer.concat([this.#buffered, chunk]);
    const frames: Frame[] = [];
    let at = 0;
    while (bytes.length - at >= HEADER_BYTES) {
      const length = bytes.readUInt32BE(at + 5);
      if (length > MAX_FRAME_BYTES) throw new Error(`a frame of ${length} bytes`);
      const end = at + HEADER_BYTES + length;
      if (bytes.length < end) break;
      const content = bytes.subarray(at + HEADER_BYTES, end);
      frames.push({ streamId: bytes.readUInt32BE(at), kind: bytes.readUInt8(at + 4), content });
      at = end;
    }
    this.#buffered = bytes.subarray(at);
    return frames;
  }
}
