import http from 'node:http';
import type { Duplex } from 'node:stream';
import { RunningTime } from '../../base/running-time.ts';
import type { EgressClient } from '../types.ts';
import { forwardRequest, openTunnel } from './http-proxy.ts';
import { endWith } from './join.ts';
import { serveSocks } from './socks.ts';

/** First byte of a SOCKS5 greeting; no HTTP request begins with it. */
const SOCKS_VERSION = 5;
const GREETING_MS = 30_000;
/** On one connection. */
const MAX_REQUESTS = 100;
const SIGN_IN = { 'proxy-authenticate': 'Basic realm="HyperAgent"', connection: 'close' };

/** The egress client of a request, by its `Proxy-Authorization`; null asks it to sign in. */
export type SignIn = (authorization: string | undefined) => EgressClient | null;

/**
 * A proxy over streams instead of a port: HTTP with CONNECT, and SOCKS5, distinguished by their first
 * byte. Its clients are not trusted; they reach only what the egress client allows. With a sign-in, each HTTP
 * request says by its credential whose it is, and SOCKS5, which has none here, is refused.
 */
export class EgressProxy {
  readonly #egressClient: EgressClient | SignIn;
  readonly #http: http.Server;

  constructor(egressClient: EgressClient | SignIn) {
    this.#egressClient = egressClient;
    this.#http = http.createServer({ maxHeaderSize: 64 * 1024, headersTimeout: GREETING_MS });
    // Pipelined requests all start in one turn of the loop; programs open a new connection for more.
    this.#http.maxRequestsPerSocket = MAX_REQUESTS;
    this.#http.on('request', (request, response) => {
      const client = this.#clientOf(request);
      if (client !== null) forwardRequest(request, response, client);
      else response.writeHead(407, SIGN_IN).end();
    });
    this.#http.on('connect', (request, socket, head) => {
      const client = this.#clientOf(request);
      if (client !== null) {
        openTunnel(request, { socket, head, egressClient: client });
        return;
      }
      socket.on('error', () => undefined);
      const lines = Object.entries(SIGN_IN).map(([name, value]) => `${name}: ${value}\r\n`);
      endWith(socket, `HTTP/1.1 407 Sign in\r\n${lines.join('')}content-length: 0\r\n\r\n`);
    });
    this.#http.on('clientError', (_error, socket) => socket.destroy());
  }

  /** Takes over the stream and destroys it when done. */
  serve(stream: Duplex): void {
    const limit = new RunningTime({
      ms: GREETING_MS,
      onReached: () => stream.destroy(),
      keepsProcess: false,
    });
    const greeted = (): void => limit[Symbol.dispose]();
    stream.on('error', () => undefined);
    stream.once('close', greeted);
    stream.once('data', (first: Buffer) => {
      stream.pause();
      stream.unshift(first);
      if (first[0] === SOCKS_VERSION) {
        if (typeof this.#egressClient === 'function') stream.destroy();
        else void serveSocks(stream, this.#egressClient, greeted);
      } else {
        greeted();
        this.#http.emit('connection', stream);
        // The server only listens; the stream was paused so that nothing was lost in between.
        stream.resume();
      }
    });
  }

  #clientOf({ headers }: http.IncomingMessage): EgressClient | null {
    const client = this.#egressClient;
    return typeof client === 'function' ? client(headers['proxy-authorization']) : client;
  }
}
