import http from 'node:http';
import type { Duplex } from 'node:stream';
import { parseOutsideJson } from '../../base/outside-json.ts';

/** The engine answered with an error. */
export class EngineError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'EngineError';
    this.status = status;
  }
}

/** Nothing answers at the engine's socket, or the connection was lost. */
export class EngineGoneError extends Error {
  constructor(cause: unknown) {
    super('The container engine does not answer', { cause });
    this.name = 'EngineGoneError';
  }
}

export interface EngineRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With its query. Without a version: engines then serve their own, and refuse others that are too old or new. */
  readonly path: string;
  readonly json?: unknown;
  readonly body?: Buffer;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
  /** Milliseconds of silence after which the engine counts as gone. Null waits forever. */
  readonly idleMs?: number | null;
}

const IDLE_MS = 30_000;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * The few requests of Docker's HTTP API that a sandbox needs, over a local socket. Why not a library:
 * docs/decisions/0024.
 */
export class EngineClient {
  readonly socketPath: string;
  readonly #agent = new http.Agent({ keepAlive: true, maxFreeSockets: 2, timeout: IDLE_MS });

  constructor(socketPath: string) {
    this.socketPath = socketPath;
  }

  /** The answer as JSON; null if it is empty. Throws `EngineError`, `EngineGoneError`, the signal's reason. */
  async request(request: EngineRequest): Promise<unknown> {
    const response = await this.stream(request);
    const text = await readAll(response);
    return text === '' ? null : parseOutsideJson(text);
  }

  /** The answer as a stream. */
  async stream(request: EngineRequest): Promise<http.IncomingMessage> {
    const response = await this.#send(request, this.#agent);
    const status = response.statusCode ?? 0;
    if (status < 400) return response;
    throw new EngineError(status, messageOf(await readAll(response)));
  }

  /** A connection that carries only the streams of a process after the engine's answer. */
  async hijack(request: EngineRequest): Promise<Duplex> {
    return await new Promise((resolve, reject) => {
      const outgoing = this.#open(request, new http.Agent(), {
        connection: 'Upgrade',
        upgrade: 'tcp',
      });
      outgoing.once('upgrade', (_response, socket, head) => {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      });
      outgoing.once('response', (response) => {
        const refuse = (text: string): void =>
          reject(new EngineError(response.statusCode ?? 0, messageOf(text)));
        readAll(response).then(refuse, reject);
      });
      outgoing.once('error', (error) => reject(asGone(error, request.signal)));
      outgoing.end(bodyOf(request));
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(request: EngineRequest, agent: http.Agent): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      const outgoing = this.#open(request, agent, {});
      outgoing.once('response', resolve);
      outgoing.once('error', (error) => reject(asGone(error, request.signal)));
      outgoing.end(bodyOf(request));
    });
  }

  #open(
    { method, path, json, contentType, signal, idleMs }: EngineRequest,
    agent: http.Agent,
    headers: http.OutgoingHttpHeaders,
  ): http.ClientRequest {
    const type = contentType ?? (json === undefined ? undefined : 'application/json');
    const limit = idleMs === undefined ? IDLE_MS : idleMs;
    return http
      .request({
        socketPath: this.socketPath,
        agent,
        method,
        path,
        headers: {
          host: 'docker',
          ...(type === undefined ? {} : { 'content-type': type }),
          ...headers,
        },
        ...(signal === undefined ? {} : { signal }),
      })
      .setTimeout(limit ?? 0, function onIdle(this: http.ClientRequest) {
        this.destroy(new Error(`no answer within ${limit} ms`));
      });
  }
}

function bodyOf({ body, json }: EngineRequest): Buffer | string {
  return body ?? (json === undefined ? '' : JSON.stringify(json));
}

async function readAll(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) throw new Error('the answer of the engine is too long');
      chunks.push(chunk);
    }
  } catch (error) {
    throw new EngineGoneError(error);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Engines report errors as `{"message": …}`. */
function messageOf(text: string): string {
  try {
    const parsed = parseOutsideJson(text);
    if (typeof parsed === 'object' && parsed !== null && 'message' in parsed) {
      return String(parsed.message);
    }
  } catch {
    // Not JSON: the text itself is the message.
  }
  return text.trim();
}

function asGone(error: Error, signal: AbortSignal | undefined): unknown {
  return signal?.aborted === true ? signal.reason : new EngineGoneError(error);
}
