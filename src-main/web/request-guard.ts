import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const PROTOCOL_PREFIX = 'hyperagent.';

/**
 * Who may talk to the browser door. A page elsewhere cannot forge `Host` or `Origin`, so a name that
 * was rebound to 127.0.0.1 and a foreign page are both refused; a program on this machine can, and
 * is kept out by the token.
 */
export class RequestGuard {
  readonly #hosts: ReadonlySet<string>;
  readonly #protocol: Buffer;

  constructor(port: number, token: string) {
    this.#hosts = new Set(['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`));
    this.#protocol = Buffer.from(`${PROTOCOL_PREFIX}${token}`);
  }

  /** Whether the request was made to this door, and not by a page of another origin. */
  isOwn({ headers }: IncomingMessage): boolean {
    const { host, origin } = headers;
    if (host === undefined || !this.#hosts.has(host)) return false;
    // Browsers leave it out where a page loads its own files, and never when it opens a socket.
    return origin === undefined || origin === `http://${host}`;
  }

  /** Whether a socket is asked for with the token of this start. */
  hasToken({ headers }: IncomingMessage): boolean {
    const offered = Buffer.from(headers['sec-websocket-protocol'] ?? '');
    return offered.length === this.#protocol.length && timingSafeEqual(offered, this.#protocol);
  }
}
