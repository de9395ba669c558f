import type { IncomingMessage, ServerResponse } from 'node:http';
import http from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo, Server, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SITE_CERTIFICATE, SITE_KEY } from './site-certificate.ts';

/** A page as HTML, or what answers. */
export type SiteAnswer = string | ((request: IncomingMessage, response: ServerResponse) => void);

export interface Site extends AsyncDisposable {
  readonly port: number;
  /** The same pages over TLS, with a certificate that browsers do not trust. */
  readonly tlsPort: number;
  /** `METHOD /path`, in the order in which they came. */
  readonly requests: string[];
  /** Bodies that were sent to `/sent`. */
  readonly sent: string[];
  /** Pages by path; those that are added later count too. */
  readonly pages: Map<string, SiteAnswer>;
  /** An address on `site.test`. */
  url(path: string, host?: string): string;
}

/** A site of strangers on this computer: its pages are whatever a test gives it. */
export async function startSite(pages: ReadonlyMap<string, SiteAnswer> = new Map()): Promise<Site> {
  const all = new Map<string, SiteAnswer>([['/good', GOOD_PAGE], ...pages]);
  const requests: string[] = [];
  const sent: string[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    response.on('error', () => undefined);
    const [path = '/'] = (request.url ?? '/').split('?');
    requests.push(`${request.method} ${request.url}`);
    if (path === '/sent') {
      // A page that is closed while it sends says nothing more.
      buffer(request).then(
        (body) => sent.push(body.toString()),
        () => undefined,
      );
      response.writeHead(204, { 'access-control-allow-origin': '*' }).end();
      return;
    }
    if (path === '/never') return;
    if (path === '/download') {
      response
        .writeHead(200, { 'content-disposition': 'attachment; filename="one.bin"' })
        .end('one');
      return;
    }
    const page = all.get(path) ?? all.get(path.replace(/[^/]*$/, '*'));
    if (typeof page === 'function') page(request, response);
    else if (page === undefined) response.writeHead(404).end('not here');
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  };
  const plain = http.createServer(answer);
  const tls = http2.createSecureServer(
    { cert: SITE_CERTIFICATE, key: SITE_KEY, allowHTTP1: true },
    (request, response) =>
      answer(request as unknown as IncomingMessage, response as unknown as ServerResponse),
  );
  const sockets = new Set<Socket>();
  const listen = async (server: Server): Promise<number> => {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket.on('error', () => undefined));
      socket.once('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const [port, tlsPort] = [await listen(plain), await listen(tls)];
  return {
    ...{ port, tlsPort, requests, sent, pages: all },
    url: (path, host = 'site.test') => `http://${host}:${port}${path}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(
        [plain, tls].map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
      );
    },
  };
}

/** What still has to work after whatever a page did. */
const GOOD_PAGE = `<!doctype html><title>Good page</title><h1>All is well</h1>
<button onclick="this.textContent='Pressed well'">Press me</button>`;

/** An HTML document around a body. */
export function page(body: string, title = 'A page'): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`;
}
