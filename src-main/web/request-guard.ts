import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const PROTOCOL_PREFIX = 'hyperagent.';

/**
 * Decides which requests the web UI accepts. A foreign page cannot forge `Host` or `Origin`, so the
 * guard refuses DNS rebinding and other origins by these headers. A local program can forge them, so it
 * also needs the token.
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

  /** Whether the request addresses the web UI and does not come from a page of another origin. */
  isOwn(request: IncomingMessage): boolean {
    const { host, origin } = request.headers;
    if (host === undefined || !this.#hosts.has(host) || hasDuplicateHeaders(request)) return false;
    // Browsers omit `Origin` for a page's own files and for navigation.
    return origin === undefined ? !isForeignLoad(request) : origin === `http://${host}`;
  }

  /** Whether a page of the web UI opens a socket: browsers always send `Origin` then. */
  isOwnPage(request: IncomingMessage): boolean {
    return request.headers.origin !== undefined && this.isOwn(request);
  }

  /** Whether a socket request carries the current token. */
  hasToken({ headers }: IncomingMessage): boolean {
    return isSame(headers['sec-websocket-protocol'] ?? '', this.#protocol);
  }

  /** Whether a program's request carries the current token. */
  hasBearer({ headers }: IncomingMessage): boolean {
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
    return isSame(token, this.#bearer);
  }
}

function isSame(offered: string, expected: Buffer): boolean {
  const bytes = Buffer.from(offered);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** Node uses the first of two headers; a proxy may use the other. */
function hasDuplicateHeaders({ rawHeaders }: IncomingMessage): boolean {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return ['host', 'origin', 'authorization'].some(
    (name) => names.indexOf(name) !== names.lastIndexOf(name),
  );
}

/** Whether a page of another origin, including another local port, embeds a file. */
function isForeignLoad({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'] ?? 'none';
  return site !== 'none' && site !== 'same-origin' && headers['sec-fetch-mode'] !== 'navigate';
}
