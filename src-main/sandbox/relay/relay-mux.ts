import { Duplex } from 'node:stream';
import { encodeFrame, FRAME, type Frame, FrameReader, WINDOW_BYTES } from './relay-frames.ts';

/** What programs inside may open: a connection to the proxy, or a call of the helper module. */
export type InsideOpens = 'proxy' | 'call';

export interface RelayMuxParts {
  /** The single stream to the relay inside; closed with the mux. */
  readonly channel: Duplex;
  readonly onStream: (kind: InsideOpens, stream: Duplex) => void;
  /** This is the end inside: it opens what programs open, and nothing is opened to it. */
  readonly isInside?: boolean;
  /** The relay died or broke the protocol; `detail` is for the log. */
  readonly onLost?: (detail: string) => void;
}

const MAX_STREAMS = 128;
const PIECE_BYTES = 32 * 1024;
/**
 * Most bytes queued for the relay: more than all windows together, so only a relay that grants credit for
 * data it never read exceeds it.
 */
const MAX_QUEUED_BYTES = 2 * MAX_STREAMS * WINDOW_BYTES;
const KINDS: Readonly<Record<string, InsideOpens>> = { P: 'proxy', T: 'call' };

/**
 * Many connections over the single stream to a sandbox. Input from inside is not trusted: streams over the
 * limit are refused, and a protocol error closes the channel, which only costs the sandbox its own network.
 */
export class RelayMux {
  /** Resolves when the relay listens inside, or when it is certain that it never will. */
  readonly ready: Promise<void>;
  readonly #parts: RelayMuxParts;
  readonly #reader = new FrameReader();
  readonly #streams = new Map<number, MuxStream>();
  #isReady: () => void = () => undefined;
  #nextId: number;
  #closed = false;

  constructor(parts: RelayMuxParts) {
    this.#parts = parts;
    this.#nextId = parts.isInside === true ? 1 : 2;
    this.ready = new Promise((resolve) => {
      this.#isReady = resolve;
    });
    const { channel } = parts;
    channel.on('data', (chunk: Buffer) => this.#take(chunk));
    channel.on('error', (error: Error) => this.#lose(error.message));
    channel.once('close', () => this.#lose('the channel closed'));
  }

  /** A connection to a port on the sandbox's loopback; it ends with an error if nothing listens. */
  connect(port: number): Duplex {
    const content = Buffer.alloc(2);
    content.writeUInt16BE(port);
    return this.#open(content);
  }

  /** At the end inside: reports that programs can connect. */
  sayHello(): void {
    this.#send(0, FRAME.hello);
  }

  /** At the end inside: a connection of a program to the app. */
  openToApp(kind: InsideOpens): Duplex {
    return this.#open(Buffer.from(kind === 'proxy' ? 'P' : 'T'));
  }

  #open(content: Buffer): Duplex {
    const stream = this.#add(this.#nextId);
    this.#nextId += 2;
    this.#send(stream.id, FRAME.open, content);
    return stream;
  }

  /** Ends every connection and the channel. */
  close(): void {
    this.#closed = true;
    this.#isReady();
    for (const stream of this.#streams.values()) stream.destroy();
    this.#streams.clear();
    this.#parts.channel.destroy();
  }

  #take(chunk: Buffer): void {
    try {
      for (const frame of this.#reader.push(chunk)) {
        if (this.#closed) return;
        this.#handle(frame);
      }
    } catch (error) {
      this.#lose(error instanceof Error ? error.message : String(error));
    }
  }

  #handle({ streamId, kind, content }: Frame): void {
    switch (kind) {
      case FRAME.hello:
        this.#isReady();
        return;
      case FRAME.open:
        this.#accept(streamId, content.toString('latin1'));
        return;
      case FRAME.data:
        this.#streams.get(streamId)?.receive(content);
        return;
      case FRAME.end:
        this.#streams.get(streamId)?.receiveEnd();
        return;
      case FRAME.reset:
        this.#streams.get(streamId)?.destroy(new Error('the connection was reset inside'));
        return;
      case FRAME.credit:
        this.#streams.get(streamId)?.addCredit(content.readUInt32BE(0));
        return;
      default:
        throw new Error(`a frame of kind ${kind}`);
    }
  }

  #accept(id: number, mark: string): void {
    const kind = KINDS[mark];
    if (id % 2 === this.#nextId % 2 || this.#streams.has(id))
      throw new Error(`stream ${id} was opened twice`);
    if (this.#parts.isInside === true || kind === undefined || this.#streams.size >= MAX_STREAMS) {
      this.#send(id, FRAME.reset);
      return;
    }
    this.#parts.onStream(kind, this.#add(id));
  }

  #add(id: number): MuxStream {
    const stream = new MuxStream(id, (kind, content) => this.#send(id, kind, content));
    this.#streams.set(id, stream);
    // The user of the stream handles its errors; without one they must not end the app.
    stream.on('error', () => undefined);
    stream.once('close', () => {
      if (this.#streams.get(id) !== stream) return;
      this.#streams.delete(id);
      if (!stream.hasEnded) this.#send(id, FRAME.reset);
    });
    return stream;
  }

  #send(id: number, kind: number, content?: Buffer): void {
    if (this.#closed) return;
    const { channel } = this.#parts;
    channel.write(encodeFrame(id, kind, content));
    if (channel.writableLength > MAX_QUEUED_BYTES) this.#lose('it does not read what it requested');
  }

  #lose(detail: string): void {
    if (this.#closed) return;
    this.close();
    this.#parts.onLost?.(detail);
  }
}

/** One connection; writes wait for credit from the other end. */
class MuxStream extends Duplex {
  readonly id: number;
  readonly #send: (kind: number, content?: Buffer) => void;
  #credit = WINDOW_BYTES;
  /** Received bytes that were not returned as credit yet. */
  #owed = 0;
  #onCredit: (() => void) | null = null;
  #sentEnd = false;
  #gotEnd = false;

  constructor(id: number, send: (kind: number, content?: Buffer) => void) {
    super({ allowHalfOpen: true });
    this.id = id;
    this.#send = send;
  }

  /** Both directions have ended, so there is nothing left to reset. */
  get hasEnded(): boolean {
    return this.#sentEnd && this.#gotEnd;
  }

  receive(content: Buffer): void {
    this.#owed += content.length;
    if (this.#owed > WINDOW_BYTES) throw new Error('more data than the window holds');
    if (this.push(Buffer.from(content))) this.#giveCredit();
  }

  receiveEnd(): void {
    this.#gotEnd = true;
    this.push(null);
  }

  addCredit(bytes: number): void {
    this.#credit = Math.min(this.#credit + bytes, WINDOW_BYTES);
    const resume = this.#onCredit;
    this.#onCredit = null;
    resume?.();
  }

  override _read(): void {
    this.#giveCredit();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    const send = (at: number): void => {
      let next = at;
      while (next < chunk.length) {
        if (this.#credit === 0) {
          this.#onCredit = () => send(next);
          return;
        }
        const size = Math.min(chunk.length - next, this.#credit, PIECE_BYTES);
        this.#credit -= size;
        this.#send(FRAME.data, chunk.subarray(next, next + size));
        next += size;
      }
      done();
    };
    send(0);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#sentEnd = true;
    this.#send(FRAME.end);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#onCredit = null;
    done(error);
  }

  #giveCredit(): void {
    if (this.#owed === 0 || this.destroyed) return;
    const credit = Buffer.alloc(4);
    credit.writeUInt32BE(this.#owed);
    this.#owed = 0;
    this.#send(FRAME.credit, credit);
  }
}
