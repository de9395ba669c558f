import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { AppError } from '#contract/errors.ts';
import { DisposalStack } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { PushHub } from '../transport/push-hub.ts';
import { RendererFiles, securityHeaders } from '../transport/renderer-files.ts';
import type { RequestRouter } from '../transport/request-router.ts';
import type { DataDownload } from '../user-data/data-exporter.ts';
import { sendDownload } from './data-download.ts';
import { OneTimeLink } from './one-time-link.ts';
import { RepeatedRequests } from './repeated-requests.ts';
import { RequestGuard } from './request-guard.ts';
import { answerApi, isApiPath } from './rest-api.ts';
import { SocketClient } from './socket-client.ts';
import { parseFrame } from './socket-frames.ts';

/** Fits the largest attachment as base64, with room to spare. */
const MAX_FRAME_BYTES = 36 * 1024 * 1024;
/** Allows nothing; for responses without a page. */
const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'";
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

export interface WebServerOptions {
  readonly rendererDir: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly router: RequestRouter;
  readonly hub: PushHub;
  readonly logger: Logger;
  /** The export that a path loads, once; null for any other path. */
  readonly takeDownload?: (path: string) => DataDownload | null;
}

export interface WebServer extends AsyncDisposable {
  readonly port: number;
  /** The address with the access token. Anyone who has it can use the app. */
  readonly url: string;
  readonly token: string;
  /** An address without the token, to pass to a browser. It works once, for a short time. */
  oneTimeUrl(): string;
}

/** Serves the window and its socket on 127.0.0.1. Throws `CONFLICT` if the port is taken. */
export async function startWebServer(options: WebServerOptions): Promise<WebServer> {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 });
  const port = await listen(server, options.port);
  const token = randomBytes(32).toString('base64url');
  const url = `http://127.0.0.1:${port}/#token=${token}`;
  const closing = new DisposalStack();
  closing.add(() => closeServer(server));
  try {
    const sockets = acceptSockets(options);
    closing.add(() => closeSockets(sockets));
    const origins = [`ws://127.0.0.1:${port}`, `ws://localhost:${port}`];
    const files = await RendererFiles.open(options.rendererDir, origins);
    const guard = new RequestGuard(port, token);
    const link = new OneTimeLink(url);
    server.on('request', (request, response) => {
      void answer(request, response, { guard, files, link, ...options });
    });
    server.on('upgrade', (request, socket, head) => {
      const refusal = refuseUpgrade(request, guard);
      if (refusal === null) {
        sockets.handleUpgrade(request, socket, head, (ws) => sockets.emit('connection', ws));
      } else refuse(socket, refusal);
    });
    return {
      port,
      url,
      token,
      oneTimeUrl: () => `http://127.0.0.1:${port}${link.issue()}`,
      [Symbol.asyncDispose]: () => closing.dispose(),
    };
  } catch (error) {
    await closing.dispose();
    throw error;
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        cause.code === 'EADDRINUSE' || cause.code === 'EACCES'
          ? new AppError(
              'CONFLICT',
              `Port ${port} is not available. Choose another, or leave out --port to use any free port.`,
              {
                cause,
              },
            )
          : cause,
      );
    });
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () =>
      resolve((server.address() as AddressInfo).port),
    );
  });
}

interface Answering {
  readonly guard: RequestGuard;
  readonly files: RendererFiles;
  readonly link: OneTimeLink;
  readonly router: RequestRouter;
  readonly logger: Logger;
  readonly takeDownload?: WebServerOptions['takeDownload'];
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { guard, files, link, router, logger, takeDownload }: Answering,
): Promise<void> {
  try {
    if (!guard.isOwn(request)) return end(response, 403, 'Forbidden origin.');
    if (isApiPath(pathOf(request))) {
      const isAuthorized = guard.hasBearer(request);
      const { status, body, headers } = await answerApi(request, { router, isAuthorized });
      const json = request.method === 'HEAD' ? '' : `${JSON.stringify(body)}\n`;
      return end(response, status, json, { ...JSON_TYPE, ...headers });
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return end(response, 405, 'Only GET is supported.', { Allow: 'GET, HEAD' });
    }
    const path = pathOf(request);
    const target = link.take(path);
    if (target !== null) return end(response, 302, '', { Location: target });
    const download = request.method === 'GET' ? takeDownload?.(path) : null;
    if (download) return await sendDownload(download, response);
    const file = await files.read(path);
    if (file === null) return end(response, 404, 'Not found.');
    response.writeHead(200, { ...file.headers, 'Content-Length': file.data.length });
    response.end(request.method === 'HEAD' ? undefined : file.data);
  } catch (error) {
    logger.error('A request of the web UI failed', { url: request.url, error });
    end(response, 500, 'The request failed. The log has the cause.');
  }
}

/** The path as sent, without the query. It is looked up, never decoded. */
function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0] ?? '';
}

function end(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    ...securityHeaders(CLOSED_POLICY),
    ...headers,
  });
  response.end(text);
}

function refuseUpgrade(request: IncomingMessage, guard: RequestGuard): string | null {
  if (!guard.isOwnPage(request)) return '403 Forbidden';
  if (pathOf(request) !== '/socket') return '404 Not Found';
  return guard.hasToken(request) ? null : '401 Unauthorized';
}

function refuse(socket: Duplex, status: string): void {
  // A peer that is already gone needs no answer.
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function acceptSockets({ router, hub, logger }: WebServerOptions): WebSocketServer {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  const repeated = new RepeatedRequests();
  sockets.on('connection', (socket: WebSocket) => {
    const client = new SocketClient(socket);
    const caller = hub.attach(client);
    // An oversized or malformed frame closes only its own socket.
    socket.on('error', (error) =>
      logger.warn('A socket was closed after a protocol error', { error }),
    );
    socket.on('message', async (data, isBinary) => {
      const parsed = parseFrame(data, isBinary);
      if (parsed.ok) {
        const { id, name, input, key } = parsed.frame;
        const work = () => router.handle(name, input, caller);
        const result = await (key === undefined
          ? work()
          : repeated.answer({ ...parsed.frame, key }, work));
        client.sendFrame({ id, result });
      } else {
        const error = { code: 'BAD_REQUEST', message: parsed.problem, details: {} };
        client.sendFrame({ id: parsed.id, result: { ok: false, error } });
      }
    });
  });
  return sockets;
}

function closeSockets(sockets: WebSocketServer): Promise<void> {
  for (const socket of sockets.clients) socket.terminate();
  return new Promise((resolve) => sockets.close(() => resolve()));
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
