import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const PROTOCOL_PREFIX = 'hyperagent.';

/**
 * Who may talk to the web UI. A page elsewhere cannot forge `Host` or `Origin`, so a name that
 * was rebound to 127.0.0.1 and a foreign page are both refused; a program on this machine can, and
 * is kept out by the token.
 */
export class RequestGuard {
  readonly #hosts: ReadonlySet<string>;
  readonly #protocol: Buffer;
  readonly #bearer: Buffer;

  constructor(port: number, token: string) {
    this.#hosts = new Set(['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`));
    this.#protocol = Buffer.from(`${PROTOCOL_PREFIX}${token}`);
    this.#bearer = Buffer.from(token);
  }

  /** Whether the request was made to this entry point, and not by a page of another origin. */
  isOwn(request: IncomingMessage): boolean {
    const { host, origin } = request.headers;
    if (host === undefined || !this.#hosts.has(host) || saysTwice(request)) return false;
    // Browsers leave it out where a page loads its own files, and where it is gone to.
    return origin === undefined ? !isForeignLoad(request) : origin === `http://${host}`;
  }

  /** Whether a page of this entry point opens a socket: no browser leaves the origin out then. */
  isOwnPage(request: IncomingMessage): boolean {
    return request.headers.origin !== undefined && this.isOwn(request);
  }

  /** Whether a socket is asked for with the token of this start. */
  hasToken({ headers }: IncomingMessage): boolean {
    return isSame(headers['sec-websocket-protocol'] ?? '', this.#protocol);
  }

  /** Whether a program asks with the token of this start. */
  hasBearer({ headers }: IncomingMessage): boolean {
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
    return isSame(token, this.#bearer);
  }
}

function isSame(offered: string, expected: Buffer): boolean {
  const bytes = Buffer.from(offered);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** Node takes the first of two; whoever stands between, or reads after us, may take the other. */
function saysTwice({ rawHeaders }: IncomingMessage): boolean {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return ['host', 'origin', 'authorization'].some(
    (name) => names.indexOf(name) !== names.lastIndexOf(name),
  );
}

/** Whether a page of elsewhere, another port of this machine included, loads a file into itself. */
function isForeignLoad({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'] ?? 'none';
  return site !== 'none' && site !== 'same-origin' && headers['sec-fetch-mode'] !== 'navigate';
}
