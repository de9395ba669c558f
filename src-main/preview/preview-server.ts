import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Duplex, duplexPair, pipeline } from 'node:stream';
import {
  isDocument,
  PREVIEW_HEADERS,
  type PreviewPlace,
  previewPolicy,
  refusalOf,
  requestHeaders,
  responseHeaders,
} from './preview-rules.ts';
import { REPORT_PATH, ReportTag } from './report-tag.ts';
import { streamAgent } from './stream-agent.ts';
import { waitingPage } from './waiting-page.ts';

/** The address of a preview, kept so that what a page stored in the browser is there the next time. */
export interface PreviewAddress {
  /** 16 hexadecimal digits: the secret that keeps other programs of this computer out. */
  readonly name: string;
  readonly port: number;
}

/** The server behind a preview. */
export interface PreviewTarget {
  readonly port: number;
  /** A connection to it; it ends with an error where nothing listens. */
  readonly connect: () => Duplex;
}

export interface PreviewParts {
  /** Null where there is no server now: a page that waits for it is shown. */
  readonly target: () => PreviewTarget | null;
  /** The page of the window that may frame it, as sources of a content security policy. */
  readonly framedBy: readonly string[];
  /** `resources/preview/report.js`. */
  readonly reportScript: Buffer;
  /** The address of the last time; another port is taken where it is not free. */
  readonly address?: PreviewAddress | undefined;
  readonly onUse?: () => void;
}

/** Open connections of one preview; a browser has six and its web sockets. */
const MOST_CONNECTIONS = 64;
const NAME_BYTES = 8;

/** One preview: a listener on the loopback that passes requests to a server in a sandbox. */
export class PreviewServer implements AsyncDisposable {
  readonly #parts: PreviewParts;
  readonly #server: http.Server;
  readonly #sockets = new Set<Duplex>();
  #address: PreviewAddress;

  private constructor(parts: PreviewParts) {
    this.#parts = parts;
    this.#address = parts.address ?? { name: randomBytes(NAME_BYTES).toString('hex'), port: 0 };
    this.#server = http.createServer((request, response) => this.#answer(request, response));
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    this.#server.on('connection', (socket: Duplex) => this.#hold(socket));
    // A connection that is broken off is none of the app's errors.
    this.#server.on('clientError', (_error, socket) => socket.destroy());
    this.#server.maxConnections = MOST_CONNECTIONS;
  }

  static async open(parts: PreviewParts): Promise<PreviewServer> {
    const preview = new PreviewServer(parts);
    const wanted = parts.address?.port ?? 0;
    const port = await listen(preview.#server, wanted).catch(async (error: unknown) => {
      // The port belongs to another program now.
      if (wanted === 0) throw error;
      return await listen(preview.#server, 0);
    });
    preview.#address = { ...preview.#address, port };
    // The app ends when its last window does, whatever listens here.
    preview.#server.unref();
    return preview;
  }

  get address(): PreviewAddress {
    return this.#address;
  }

  /** `NAME.localhost:PORT`. */
  get host(): string {
    return `${this.#address.name}.localhost:${this.#address.port}`;
  }

  get url(): string {
    return `http://${this.host}/`;
  }

  /** Whether anything is connected to it, such as the web socket of a page that is open. */
  get isInUse(): boolean {
    return this.#sockets.size > 0;
  }

  /** A connection to the preview without the network, for the agent's browser. */
  connect(): Duplex {
    const [near, far] = duplexPair();
    this.#server.emit('connection', far);
    // HTTP clients keep their connections, and then treat each as a socket.
    const same = (): Duplex => near;
    const socket = {
      setKeepAlive: same,
      setNoDelay: same,
      setTimeout: same,
      ref: same,
      unref: same,
    };
    return Object.assign(near, socket);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #hold(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  #place(port: number): PreviewPlace {
    const { framedBy } = this.#parts;
    return { host: this.host, upstream: `localhost:${port}`, framedBy };
  }

  #answer(request: http.IncomingMessage, response: http.ServerResponse): void {
    const target = this.#parts.target();
    const place = this.#place(target?.port ?? 0);
    const refusal = refusalOf(request.headers, place);
    if (refusal !== null) {
      respond(response, place, { status: refusal.status, text: refusal.reason });
      return;
    }
    this.#parts.onUse?.();
    if (request.url === REPORT_PATH) {
      const body = { status: 200, text: this.#parts.reportScript, type: 'text/javascript' };
      respond(response, place, body);
      return;
    }
    if (target === null) {
      const text = waitingPage('starting', request.headers['accept-language']);
      respond(response, place, { status: 503, text, type: 'text/html' });
      return;
    }
    this.#pass(request, response, { target, place });
  }

  #pass(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    { target, place }: { readonly target: PreviewTarget; readonly place: PreviewPlace },
  ): void {
    const upstream = http.request({
      method: request.method,
      path: request.url,
      headers: requestHeaders(request.headers, place),
      agent: streamAgent(() => this.#connection(target)),
    });
    upstream.on('response', (answer) => {
      const headers = responseHeaders(answer.headers, place);
      const withTag = isDocument(request.headers) && canCarryTag(answer);
      if (withTag) delete headers['content-length'];
      response.writeHead(answer.statusCode ?? 502, headers);
      const streams = withTag ? [answer, new ReportTag(), response] : [answer, response];
      // A page that is left, or a server that breaks off, ends both.
      pipeline(streams, () => undefined);
    });
    upstream.on('error', () => {
      if (response.headersSent || response.destroyed) {
        response.destroy();
        return;
      }
      const text = waitingPage('unanswered', request.headers['accept-language']);
      respond(response, place, { status: 502, text, type: 'text/html' });
    });
    response.on('close', () => upstream.destroy());
    pipeline(request, upstream, () => undefined);
  }

  #upgrade(request: http.IncomingMessage, socket: Duplex, head: Buffer): void {
    const target = this.#parts.target();
    const place = this.#place(target?.port ?? 0);
    const isOwn = request.headers.origin === `http://${place.host}`;
    if (target === null || !isOwn || refusalOf(request.headers, place) !== null) {
      socket.destroy();
      return;
    }
    this.#parts.onUse?.();
    const upstream = this.#connection(target);
    const headers = {
      ...requestHeaders(request.headers, place),
      connection: 'Upgrade',
      upgrade: request.headers.upgrade,
    };
    const lines = Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => `${name}: ${one}`),
    );
    upstream.write([`GET ${request.url} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
    if (head.length > 0) upstream.write(head);
    pipeline(upstream, socket, () => undefined);
    pipeline(socket, upstream, () => undefined);
  }

  #connection(target: PreviewTarget): Duplex {
    const stream = target.connect();
    stream.on('error', () => undefined);
    this.#hold(stream);
    return stream;
  }
}

function canCarryTag({ headers, statusCode = 0 }: http.IncomingMessage): boolean {
  const isHtml = /^text\/html\b/i.test(headers['content-type'] ?? '');
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity';
  return isHtml && isPlain && statusCode !== 204 && statusCode !== 304;
}

function respond(
  response: http.ServerResponse,
  place: PreviewPlace,
  {
    status,
    text,
    type = 'text/plain',
  }: { readonly status: number; readonly text: string | Buffer; readonly type?: string },
): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    ...PREVIEW_HEADERS,
    'content-security-policy': previewPolicy(place),
  });
  response.end(text);
}

async function listen(server: http.Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
