import type { Duplex } from 'node:stream';
import type { EgressReason } from '#contract/egress.ts';
import { EgressDenied } from '../denied.ts';
import { type EgressTarget, parseTarget } from '../target.ts';
import type { EgressClient } from '../types.ts';
import { endWith, join } from './join.ts';

/** The part of SOCKS5 (RFC 1928) that programs use: no authentication, CONNECT, names and addresses. */
const VERSION = 5;
const CONNECT = 1;
const NO_SIGN_IN = 0;
const NO_METHOD = 0xff;
const REPLIES = { done: 0, failed: 1, refused: 2, unreachable: 4, badCommand: 7, badAddress: 8 };

const REPLY_OF: Readonly<Record<EgressReason, number>> = {
  offline: REPLIES.refused,
  not_listed: REPLIES.refused,
  denied_by_rule: REPLIES.refused,
  denied_by_policy: REPLIES.refused,
  private_address: REPLIES.refused,
  no_run: REPLIES.refused,
  unresolved: REPLIES.unreachable,
  unreachable: REPLIES.unreachable,
  bad_target: REPLIES.badAddress,
};

/** Serves one connection to its end; never rejects. Calls `onRequest` once the whole request is read. */
export async function serveSocks(
  stream: Duplex,
  egressClient: EgressClient,
  onRequest: () => void,
): Promise<void> {
  const closed = new AbortController();
  stream.once('close', () => closed.abort());
  const reply = (code: number): Buffer => Buffer.from([VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0]);
  try {
    const reader = new ExactReader(stream);
    const [, methodCount = 0] = await reader.take(2);
    const methods = await reader.take(methodCount);
    if (!methods.includes(NO_SIGN_IN)) {
      endWith(stream, Buffer.from([VERSION, NO_METHOD]));
      return;
    }
    stream.write(Buffer.from([VERSION, NO_SIGN_IN]));
    const [version, command, , kind = 0] = await reader.take(4);
    if (version !== VERSION || command !== CONNECT) {
      endWith(stream, reply(REPLIES.badCommand));
      return;
    }
    const asked = await readAddress(reader, kind);
    onRequest();
    if (asked === null) {
      endWith(stream, reply(REPLIES.badAddress));
      return;
    }
    const upstream = await egressClient.connect(targetOf(asked, egressClient), closed.signal);
    stream.write(reply(REPLIES.done));
    reader.release();
    join(stream, upstream);
  } catch (error) {
    const code = error instanceof EgressDenied ? REPLY_OF[error.reason] : REPLIES.failed;
    stream.removeAllListeners('readable');
    endWith(stream, reply(code));
  }
}

function targetOf({ host, port }: EgressTarget, egressClient: EgressClient): EgressTarget {
  try {
    return parseTarget(host, port);
  } catch (error) {
    if (error instanceof EgressDenied) egressClient.refuse(error);
    throw error;
  }
}

async function readAddress(reader: ExactReader, kind: number): Promise<EgressTarget | null> {
  const read = async (): Promise<string | null> => {
    switch (kind) {
      case 1:
        return [...(await reader.take(4))].join('.');
      case 3: {
        const [length = 0] = await reader.take(1);
        return (await reader.take(length)).toString('utf8');
      }
      case 4: {
        const bytes = await reader.take(16);
        const group = (index: number): string => bytes.readUInt16BE(index * 2).toString(16);
        return Array.from({ length: 8 }, (_, index) => group(index)).join(':');
      }
      default:
        return null;
    }
  };
  const host = await read();
  if (host === null) return null;
  const port = (await reader.take(2)).readUInt16BE();
  return { host, port };
}

/** Reads exact numbers of bytes from a stream, and puts the rest back. */
class ExactReader {
  readonly #stream: Duplex;
  /** Read but not taken yet. Not `read(count)`: short of `count`, the stream stays readable and this would spin. */
  #buffered = Buffer.alloc(0);

  constructor(stream: Duplex) {
    this.#stream = stream;
  }

  async take(count: number): Promise<Buffer> {
    while (this.#buffered.length < count) {
      const bytes = this.#stream.read() as Buffer | null;
      if (bytes === null) await this.#untilReadable();
      else this.#buffered = Buffer.concat([this.#buffered, bytes]);
    }
    const taken = this.#buffered.subarray(0, count);
    this.#buffered = this.#buffered.subarray(count);
    return taken;
  }

  /** Hands the stream over to another reader. */
  release(): void {
    this.#stream.removeAllListeners('readable');
    if (this.#buffered.length > 0) this.#stream.unshift(this.#buffered);
  }

  #untilReadable(): Promise<void> {
    const stream = this.#stream;
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        stream.off('readable', onReadable).off('end', onEnd).off('close', onEnd);
        finish();
      };
      const onEnd = (): void => settle(() => reject(new Error('the connection ended early')));
      const onReadable = (): void => settle(resolve);
      if (stream.readableEnded || stream.destroyed) onEnd();
      else stream.once('readable', onReadable).once('end', onEnd).once('close', onEnd);
    });
  }
}
