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
  try {
    let url = parseWebUrl(address);
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const answer = await getOnce(url, egressClient, { ...options, signal });
      if ('document' in answer) return answer.document;
      url = parseWebUrl(answer.location, url);
    }
    throw new AppError('FETCH_FAILED', `${address} redirects more than ${MAX_REDIRECTS} times.`);
  } catch (error) {
    throw asFetchError(error, address, options);
  }
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

type Answer = { readonly document: FetchedDocument } | { readonly location: string };

async function getOnce(
  url: URL,
  egressClient: EgressClient,
  options: FetchOptions,
): Promise<Answer> {
  const agent = createEgressAgent(egressClient, url);
  try {
    const response = await request(url, agent, options);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (REDIRECTS.has(status) && location !== undefined) {
      // Node reads headers as Latin-1; servers that write more than ASCII write UTF-8.
      return { location: Buffer.from(location, 'latin1').toString('utf8') };
    }
    const contentType = response.headers['content-type'] ?? '';
    const { maxBytes: most } = options;
    const maxBytes = typeof most === 'number' ? most : most({ url, contentType });
    const { body, truncated } = await readBody(response, maxBytes);
    return { document: { url: url.href, status, contentType, body, truncated } };
  } finally {
    agent.destroy();
  }
}

function request(
  url: URL,
  agent: http.Agent,
  { signal, accept }: FetchOptions,
): Promise<http.IncomingMessage> {
  const { request: send } =
    url.protocol === 'https:' ? process.getBuiltinModule('node:https') : http;
  return new Promise((resolve, reject) => {
    const headers = {
      accept: accept ?? 'text/html,text/plain,application/json;q=0.9,*/*;q=0.5',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': USER_AGENT,
    };
    send(url, { agent, signal, headers }, resolve).once('error', reject).end();
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
  const denied = error instanceof EgressDenied ? error : null;
  if (denied !== null && denied.reason !== 'unreachable') {
    return new AppError('EGRESS_DENIED', denied.message, {
      details: { host: denied.host, port: denied.port, reason: denied.reason },
      cause: error,
    });
  }
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
