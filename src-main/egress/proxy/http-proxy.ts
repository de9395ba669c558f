import http from 'node:http';
import type { Duplex } from 'node:stream';
import { EgressDenied } from '../denied.ts';
import { createEgressAgent } from '../egress-agent.ts';
import { parseTarget } from '../target.ts';
import type { EgressClient } from '../types.ts';
import { endWith, join } from './join.ts';

/** Headers for one hop only, never passed on (RFC 9110, 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** `CONNECT host:port`: a tunnel whose content is not inspected. */
export function openTunnel(
  request: http.IncomingMessage,
  { socket, head, egressClient }: { socket: Duplex; head: Buffer; egressClient: EgressClient },
): void {
  const closed = new AbortController();
  socket.on('error', () => undefined);
  socket.once('close', () => closed.abort());
  const connect = async (): Promise<Duplex> => {
    const parts = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(request.url ?? '');
    const target = parseTarget(parts?.[1] ?? '', Number(parts?.[2] ?? 0));
    return await egressClient.connect(target, closed.signal);
  };
  connect().then(
    (upstream) => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (head.length > 0) upstream.write(head);
      join(socket, upstream);
    },
    (error: unknown) => {
      const { status, reason, text } = describe(error, egressClient);
      endWith(
        socket,
        `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nx-egress: ${reason}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
      );
    },
  );
}

/** `GET http://host/…`: forwards the request and its answer byte for byte, except hop-by-hop headers. */
export function forwardRequest(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  egressClient: EgressClient,
): void {
  const url = URL.parse(request.url ?? '');
  const refuse = (error: unknown): void => {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { status, reason, text } = describe(error, egressClient);
    response.writeHead(status, { 'x-egress': reason, 'content-type': 'text/plain; charset=utf-8' });
    response.end(text);
  };
  if (url === null || url.protocol !== 'http:') {
    const at = { host: request.url?.slice(0, 255) ?? '', port: 0 };
    refuse(new EgressDenied('bad_target', 'This is a proxy; ask it for http://… or CONNECT.', at));
    return;
  }
  let agent: http.Agent;
  try {
    agent = createEgressAgent(egressClient, url);
  } catch (error) {
    refuse(error);
    return;
  }
  const upstream = http.request(url, {
    agent,
    method: request.method,
    headers: { ...withoutHops(request.headers), ...framing(request), host: url.host },
    setHost: false,
  });
  upstream.once('error', refuse);
  upstream.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, withoutHops(answer.headers));
    answer.once('error', () => response.destroy());
    answer.pipe(response);
  });
  response.once('close', () => {
    upstream.destroy();
    agent.destroy();
  });
  request.pipe(upstream);
}

/**
 * A chunked body stays chunked, with every method. By default Node sends the body of a GET unframed, and
 * the server would read it as further requests, to hosts that were never checked.
 */
function framing({ headers }: http.IncomingMessage): http.OutgoingHttpHeaders {
  return headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };
}

function withoutHops(headers: http.IncomingHttpHeaders): http.IncomingHttpHeaders {
  const named = new Set(
    (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()),
  );
  // Without its length a body would be sent unframed and read as further requests.
  named.delete('content-length');
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !named.has(name)),
  );
}

function describe(
  error: unknown,
  egressClient: EgressClient,
): { status: 400 | 403 | 502; reason: string; text: string } {
  if (!(error instanceof EgressDenied)) {
    const why = error instanceof Error ? error.message : String(error);
    return { status: 502, reason: 'unreachable', text: `The connection failed: ${why}\n` };
  }
  const { reason, message } = error;
  if (reason === 'bad_target') egressClient.refuse(error);
  const status = reason === 'bad_target' ? 400 : reason === 'unreachable' ? 502 : 403;
  return { status, reason, text: `${message}\n` };
}
