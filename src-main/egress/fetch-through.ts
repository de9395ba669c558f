import http from 'node:http';
import { ReadableStream, type ReadableStream as WebStream } from 'node:stream/web';
import { createEgressAgent } from './egress-agent.ts';
import { type EgressTarget, targetOfUrl } from './target.ts';
import type { EgressClient } from './types.ts';

/** The part of `fetch` that clients of services need: a redirect is an error. */
export type Fetch = (url: string, init: RequestInit & { signal: AbortSignal }) => Promise<Response>;

/** Statuses whose answers have no body. */
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** `fetch` over the egress client for each target. Rejects with a denial as the cause; see `fetchOver`. */
export function fetchThrough(clientFor: (target: EgressTarget) => EgressClient): Fetch {
  return fetchOver((url) => createEgressAgent(clientFor(targetOfUrl(url)), url));
}

/**
 * `fetch` over an agent of its own for each request, which is destroyed with the answer. Request bodies are buffered
 * before they are sent; answer bodies are streams. Rejects as `fetch` does.
 */
export function fetchOver(agentFor: (url: URL) => http.Agent): Fetch {
  return async (address, init) => {
    const url = new URL(address);
    const { signal } = init;
    signal.throwIfAborted();
    // Turns every kind of body into bytes, with matching headers.
    const request = new Request(address, { ...init, signal: null });
    const body = Buffer.from(await request.arrayBuffer());
    const agent = agentFor(url);
    try {
      const answer = await send(url, { agent, request, body, signal });
      answer.once('close', () => agent.destroy());
      const status = answer.statusCode ?? 0;
      if (status >= 300 && status < 400) {
        answer.destroy();
        throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') });
      }
      // Not `toWeb`: when its stream is cancelled early, Node throws where nothing can catch it.
      const stream = BODILESS.has(status) ? null : (ReadableStream.from(answer) as WebStream);
      if (stream === null) answer.resume();
      return new Response(stream as globalThis.ReadableStream<Uint8Array> | null, {
        status,
        headers: headersOf(answer),
      });
    } catch (error) {
      agent.destroy();
      if (signal.aborted) throw signal.reason;
      throw error instanceof TypeError ? error : new TypeError('fetch failed', { cause: error });
    }
  };
}

function send(
  url: URL,
  parts: { agent: http.Agent; request: Request; body: Buffer; signal: AbortSignal },
): Promise<http.IncomingMessage> {
  const { agent, request, body, signal } = parts;
  const https = url.protocol === 'https:' ? process.getBuiltinModule('node:https') : http;
  return new Promise((resolve, reject) => {
    const headers: http.OutgoingHttpHeaders = Object.fromEntries(request.headers);
    if (body.length > 0 || request.method !== 'GET') headers['content-length'] = body.length;
    https
      .request(url, { agent, method: request.method, headers, signal }, resolve)
      .once('error', reject)
      .end(body);
  });
}

function headersOf({ rawHeaders }: http.IncomingMessage): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    pairs.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  }
  return pairs;
}
