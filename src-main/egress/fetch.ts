import http from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import type zlib from 'node:zlib';
import { AppError } from '#contract/errors.ts';
import { isAbortError } from '../base/abort.ts';
import { timeLimit } from '../base/running-time.ts';
import { EgressDenied } from './denied.ts';
import { createEgressAgent } from './egress-agent.ts';
import type { EgressClient } from './types.ts';

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** Most bytes read of such an answer, after decompression; the rest is not downloaded. */
  readonly maxBytes:
    | number
    | ((answer: { readonly url: URL; readonly contentType: string }) => number);
  /** Milliseconds for the whole request, redirects included. */
  readonly timeoutMs: number;
  readonly accept?: string;
}

export interface FetchedDocument {
  /** Where it came from, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
  readonly truncated: boolean;
}

const MAX_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Names the app and nothing about the user or their computer. */
const USER_AGENT = 'HyperAgent';

/**
 * Fetches a document through the egress client. Every redirect is a new connection and is checked again;
 * redirects by the page itself (meta refresh, scripts) are not followed. Throws `EGRESS_DENIED`,
 * `FETCH_FAILED`, `BAD_REQUEST`, or the signal's reason.
 */
export async function fetchDocument(
  address: string,
  egressClient: EgressClient,
  options: FetchOptions,
): Promise<FetchedDocument> {
  const signal = AbortSignal.any([options.signal, timeLimit(options.timeoutMs)]);
  const headers = {
    accept: options.accept ?? 'text/html,text/plain,application/json;q=0.9,*/*;q=0.5',
    'accept-encoding': 'gzip, deflate, br',
  };
  const { maxBytes: most } = options;
  try {
    return await followRedirects(
      parseWebUrl(address),
      { egressClient, headers, signal },
      async (response, url) => {
        const contentType = response.headers['content-type'] ?? '';
        const maxBytes = typeof most === 'number' ? most : most({ url, contentType });
        const { body, truncated } = await readBody(response, maxBytes);
        const status = response.statusCode ?? 0;
        return { url: url.href, status, contentType, body, truncated };
      },
    );
  } catch (error) {
    throw asFetchError(error, address, options);
  }
}

export interface FollowOptions {
  readonly egressClient: EgressClient;
  readonly headers: http.OutgoingHttpHeaders;
  readonly signal: AbortSignal;
  /** Whether a redirect to an unencrypted address is followed; all are if not given. */
  readonly followsHttp?: (from: URL, to: URL) => boolean;
}

/**
 * Requests `address` and passes `read` the first answer that is no redirect, with where it came from. Each
 * redirect is a new connection that the broker checks. The connection is closed when `read` has settled. Throws
 * `BAD_REQUEST` and `FETCH_FAILED`, and as the broker, the connection and `read` do.
 */
export async function followRedirects<Result>(
  address: URL,
  options: FollowOptions,
  read: (response: http.IncomingMessage, url: URL) => Promise<Result>,
): Promise<Result> {
  let url = address;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const agent = createEgressAgent(options.egressClient, url);
    try {
      const response = await request(url, agent, options);
      const { location } = response.headers;
      if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) {
        return await read(response, url);
      }
      // Node reads headers as Latin-1; servers that write more than ASCII write UTF-8.
      const next = parseWebUrl(Buffer.from(location, 'latin1').toString('utf8'), url);
      if (next.protocol === 'http:' && options.followsHttp?.(url, next) === false) {
        throw new AppError('FETCH_FAILED', `${url.origin} redirects to an unencrypted address.`);
      }
      url = next;
    } finally {
      agent.destroy();
    }
  }
  throw new AppError('FETCH_FAILED', `${address.href} redirects more than ${MAX_REDIRECTS} times.`);
}

/** An http(s) URL without user-info or fragment. Throws `BAD_REQUEST`. */
export function parseWebUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new AppError(
      'BAD_REQUEST',
      `"${text.slice(0, 200)}" is not the address of a page. It must begin with http:// or https://.`,
    );
  }
  url.username = '';
  url.password = '';
  url.hash = '';
  return url;
}

function request(
  url: URL,
  agent: http.Agent,
  { signal, headers }: FollowOptions,
): Promise<http.IncomingMessage> {
  const { request: send } =
    url.protocol === 'https:' ? process.getBuiltinModule('node:https') : http;
  return new Promise((resolve, reject) => {
    const all = { ...headers, 'user-agent': USER_AGENT };
    send(url, { agent, signal, headers: all }, resolve).once('error', reject).end();
  });
}

async function readBody(
  response: http.IncomingMessage,
  maxBytes: number,
): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decoded(response) as AsyncIterable<Buffer>) {
    const rest = maxBytes - size;
    chunks.push(chunk.length > rest ? chunk.subarray(0, rest) : chunk);
    size += chunk.length;
    if (size > maxBytes) {
      response.destroy();
      return { body: Buffer.concat(chunks), truncated: true };
    }
  }
  return { body: Buffer.concat(chunks), truncated: false };
}

function decoded(response: http.IncomingMessage): Readable {
  // A response that already failed emits no further error; `pipeline` checks its state.
  const pipe = (decoder: zlib.Gunzip | zlib.BrotliDecompress): Readable =>
    pipeline(response, decoder, () => undefined);
  const { createBrotliDecompress, createGunzip, createInflate } =
    process.getBuiltinModule('node:zlib');
  switch (response.headers['content-encoding']?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return pipe(createGunzip());
    case 'deflate':
      return pipe(createInflate());
    case 'br':
      return pipe(createBrotliDecompress());
    default:
      return response;
  }
}

function asFetchError(error: unknown, address: string, options: FetchOptions): unknown {
  if (error instanceof AppError) return error;
  if (options.signal.aborted) return options.signal.reason;
  const denied = asDenial(error);
  if (denied !== null) return denied;
  const seconds = options.timeoutMs / 1000;
  const why = isAbortError(error)
    ? `it took longer than ${seconds} s`
    : error instanceof Error
      ? error.message
      : String(error);
  return new AppError('FETCH_FAILED', `${address.slice(0, 200)} could not be read: ${why}.`, {
    cause: error,
  });
}

/** `EGRESS_DENIED` for a connection that the broker refused; null for any other failure. */
export function asDenial(error: unknown): AppError | null {
  if (!(error instanceof EgressDenied) || error.reason === 'unreachable') return null;
  const { host, port, reason, message } = error;
  return new AppError('EGRESS_DENIED', message, { details: { host, port, reason }, cause: error });
}
