import http from 'node:http';
import type { Duplex } from 'node:stream';
import { RunningTime } from '../../base/running-time.ts';
import type { EgressClient } from '../types.ts';
import { forwardRequest, openTunnel } from './http-proxy.ts';
import { serveSocks } from './socks.ts';

/** First byte of a SOCKS5 greeting; no HTTP request begins with it. */
const SOCKS_VERSION = 5;
const GREETING_MS = 30_000;
/** Of one connection. */
const MOST_REQUESTS = 100;

/**
 * A proxy over streams instead of a port: HTTP with CONNECT, and SOCKS5, told apart by their first byte.
 * Whatever speaks here is not trusted; it gets what egress client gives it.
 */
export class EgressProxy {
  readonly #egressClient: EgressClient;
  readonly #http: http.Server;

  constructor(egressClient: EgressClient) {
    this.#egressClient = egressClient;
    this.#http = http.createServer({ maxHeaderSize: 64 * 1024, headersTimeout: GREETING_MS });
    // A thousand that come in one piece are begun in one turn; programs take a new connection for more.
    this.#http.maxRequestsPerSocket = MOST_REQUESTS;
    this.#http.on('request', (request, response) =>
      forwardRequest(request, response, egressClient),
    );
    this.#http.on('connect', (request, socket, head) =>
      openTunnel(request, { socket, head, egressClient }),
    );
    this.#http.on('clientError', (_error, socket) => socket.destroy());
  }

  /** Takes the stream over; it is destroyed when its work is done. */
  serve(stream: Duplex): void {
    const limit = new RunningTime({
      ...{ ms: GREETING_MS, onReached: () => stream.destroy(), keepsProcess: false },
    });
    const greeted = (): void => limit[Symbol.dispose]();
    stream.on('error', () => undefined);
    stream.once('close', greeted);
    stream.once('data', (first: Buffer) => {
      stream.pause();
      stream.unshift(first);
      if (first[0] === SOCKS_VERSION) {
        void serveSocks(stream, this.#egressClient, greeted);
      } else {
        greeted();
        this.#http.emit('connection', stream);
        // The server only listens; it was paused so that nothing was lost meanwhile.
        stream.resume();
      }
    });
  }
}
