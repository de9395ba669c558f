import http, { type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type StreamLimits, StreamWatch } from './stream-watch.ts';
import { fromSystemError, TransportFailure } from './transport-failure.ts';
import { unpacked } from './unpacked.ts';

export interface HttpCall {
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly agent: http.Agent;
  readonly limits: StreamLimits;
  readonly signal: AbortSignal;
  readonly onWaiting?: (phase: 'connecting' | 'loading', elapsedMs: number) => void;
}

/** The head of an answer, its bytes as they arrive, and the watch that the reader reports to. */
export interface HttpAnswer {
  readonly status: number;
  /** Media type in lower case, without parameters; empty if the server sent none. */
  readonly contentType: string;
  readonly header: (name: string) => string | null;
  readonly chunks: AsyncIterable<Buffer>;
  readonly watch: StreamWatch;
}

/** How long the unread end of an answer may take before its connection is closed instead of reused. */
const DRAIN_MS = 1_000;
/** How long the caller waits for that. */
const DRAIN_PATIENCE_MS = 20;

/**
 * One request and its streamed answer. `read` reads the answer; when it returns, the connection goes back
 * to the pool. Aborting destroys the socket at once and rejects with the signal's reason. Failures of the
 * connection and exceeded limits are a `TransportFailure`; what `read` throws passes through.
 */
export async function exchange<T>(
  call: HttpCall,
  read: (answer: HttpAnswer) => Promise<T>,
): Promise<T> {
  call.signal.throwIfAborted();
  const request = startRequest(call);
  let expiry: TransportFailure | null = null;
  let headReceived = false;
  const onAbort = (): void => {
    request.destroy();
  };
  call.signal.addEventListener('abort', onAbort, { once: true });
  const watch = new StreamWatch({
    limits: call.limits,
    onWaiting: (phase, elapsedMs) => call.onWaiting?.(phase, elapsedMs),
    onExpired: (failure) => {
      expiry = failure;
      request.destroy();
    },
  });
  try {
    const response = await headOf(request, watch, call.body);
    headReceived = true;
    const result = await read(answerOf(response, watch, call.limits));
    call.signal.throwIfAborted();
    await drain(response);
    return result;
  } catch (error) {
    request.destroy();
    if (call.signal.aborted) throw call.signal.reason;
    const failure: TransportFailure | null = expiry ?? fromSystemError(error);
    if (failure === null) throw error;
    failure.headReceived = headReceived;
    throw failure;
  } finally {
    watch.stop();
    call.signal.removeEventListener('abort', onAbort);
  }
}

/** A whole body as text without a byte order mark, at most `maxBytes` of it; bytes that are not UTF-8 are replaced. */
export async function readText(answer: HttpAnswer, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer.chunks) {
    answer.watch.alive();
    pieces.push(chunk);
    size += chunk.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(pieces)
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/^\ufeff/, '');
}

function startRequest(call: HttpCall): http.ClientRequest {
  const { url, method, agent } = call;
  const headers: Record<string, string | number> = { ...call.headers };
  if (call.body !== undefined) {
    headers['content-type'] = 'application/json';
    headers['content-length'] = call.body.length;
  }
  const options = { method, agent, headers };
  if (url.protocol !== 'https:') return http.request(url, options);
  // Loading TLS takes several milliseconds, which models on this machine do not need.
  return process.getBuiltinModule('node:https').request(url, options);
}

function headOf(
  request: http.ClientRequest,
  watch: StreamWatch,
  body: Buffer | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('socket', (socket: Socket) => {
      if (!socket.connecting) watch.connected();
      // A TLS socket is usable only after its handshake, which counts as connecting.
      else
        socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => watch.connected());
    });
    request.once('response', resolve);
    request.on('error', reject);
    request.once('close', () => reject(new TransportFailure('reset', 'the connection closed')));
    request.end(body);
  });
}

function answerOf(response: IncomingMessage, watch: StreamWatch, limits: StreamLimits): HttpAnswer {
  const header = (name: string): string | null => {
    const value = response.headers[name];
    return Array.isArray(value) ? (value[0] ?? null) : (value ?? null);
  };
  const [mediaType = ''] = (header('content-type') ?? '').split(';');
  return {
    status: response.statusCode ?? 0,
    contentType: mediaType.trim().toLowerCase(),
    header,
    chunks: capped(
      // Leaving the loop early must not destroy the connection: it is kept for the next request.
      unpacked(response.iterator({ destroyOnReturn: false }), header('content-encoding')),
      limits.maxAnswerBytes,
    ),
    watch,
  };
}

async function* capped(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const bytes of chunks) {
    size += bytes.length;
    if (size > maxBytes) {
      throw new TransportFailure('malformed', `the answer is longer than ${maxBytes} bytes`);
    }
    yield bytes;
  }
}

/**
 * Reads the end of an answer, so that its connection can be reused. Usually it has arrived already; the
 * caller does not wait for a slow server, and an answer that never ends is cut off.
 */
async function drain(response: IncomingMessage): Promise<void> {
  if (response.readableEnded || response.destroyed) return;
  const cutOff = setTimeout(() => response.destroy(), DRAIN_MS);
  cutOff.unref();
  // An error after a complete answer does not matter.
  response.on('error', () => response.destroy());
  response.resume();
  await new Promise<void>((resolve) => {
    const patience = setTimeout(resolve, DRAIN_PATIENCE_MS);
    response.once('close', () => {
      clearTimeout(cutOff);
      clearTimeout(patience);
      resolve();
    });
  });
}
