import type http from 'node:http';
import { WebSocket } from 'ws';
import { AppError } from '#contract/errors.ts';
import { isAbortError } from '../base/abort.ts';
import { parseOutsideJson } from '../base/outside-json.ts';
import { asDenial } from '../egress/fetch.ts';
import { type Fetch, fetchOver } from '../egress/fetch-through.ts';
import { failed, said, unavailable } from './image-errors.ts';
import { type CreateImageAgent, IMAGE_LIMITS, type ImageLimits } from './types.ts';

export interface ImageHttpOptions {
  readonly baseUrl: string;
  /** The server's name for the user. */
  readonly label: string;
  /** What to do where nothing answers, in a sentence. */
  readonly startHint: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly createAgent: CreateImageAgent;
  readonly limits?: Partial<ImageLimits>;
}

export interface ImageCall {
  readonly method?: 'GET' | 'POST';
  /** Below the base address, with its query. */
  readonly path: string;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly signal: AbortSignal;
  /** For the whole answer; `quickMs` if not given, and none for null. */
  readonly timeoutMs?: number | null;
  readonly maxBytes?: number;
}

export interface ImageAnswer {
  readonly status: number;
  /** In lower case, without parameters. */
  readonly contentType: string;
  readonly body: Buffer;
}

/** Requests to one image server, with limits. Its answers are data of others. */
export class ImageHttp {
  readonly label: string;
  readonly limits: ImageLimits;
  readonly #options: ImageHttpOptions;
  readonly #base: URL;
  readonly #fetch: Fetch;

  /** Throws `BAD_REQUEST` for what is no address of a server. */
  constructor(options: ImageHttpOptions) {
    const base = URL.parse(options.baseUrl);
    if (base === null || !/^https?:$/.test(base.protocol)) {
      throw new AppError(
        'BAD_REQUEST',
        `The address of ${options.label} is none. Enter one like http://127.0.0.1:8188.`,
      );
    }
    this.#base = base;
    this.label = options.label;
    this.limits = { ...IMAGE_LIMITS, ...options.limits };
    this.#options = options;
    this.#fetch = fetchOver((url): http.Agent => options.createAgent(url));
  }

  /** The whole answer, whatever its status. Throws `IMAGE_UNAVAILABLE`, `IMAGE_FAILED`, `EGRESS_DENIED`, the signal's reason. */
  async send(call: ImageCall): Promise<ImageAnswer> {
    return await this.#guarded(call, async (signal) => {
      const response = await this.#request(call, signal);
      const chunks: Buffer[] = [];
      for await (const chunk of this.#chunks(response, call)) chunks.push(chunk);
      return {
        status: response.status,
        contentType: typeOf(response),
        body: Buffer.concat(chunks),
      };
    });
  }

  /** The answer as JSON, whatever its status. Throws as `send` does, and `IMAGE_FAILED` for what is no JSON. */
  async json(call: ImageCall): Promise<{ readonly status: number; readonly value: unknown }> {
    const { status, contentType, body } = await this.send(call);
    try {
      return { status, value: parseOutsideJson(body.toString('utf8')) };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const what = contentType === 'text/html' ? 'a page' : 'something that is not JSON';
      throw failed(
        `${this.label} answered ${call.path} with ${what} (status ${status}). Check its address in the settings.`,
        error,
      );
    }
  }

  /** Passes the answer to `read` while it arrives. Throws as `send` and `read` do. */
  async stream<Result>(
    call: ImageCall,
    read: (answer: {
      readonly status: number;
      readonly contentType: string;
      readonly chunks: AsyncIterable<Buffer>;
    }) => Promise<Result>,
  ): Promise<Result> {
    return await this.#guarded(call, async (signal) => {
      const response = await this.#request(call, signal);
      const chunks = this.#chunks(response, call);
      return await read({ status: response.status, contentType: typeOf(response), chunks });
    });
  }

  /** A web socket to the server, still connecting. Messages over the limit of an answer end it. The caller closes it. */
  socket(path: string): WebSocket {
    const url = this.#resolve(path);
    const agent = this.#options.createAgent(url);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(url, {
      agent,
      headers: { ...this.#options.headers },
      handshakeTimeout: this.limits.quickMs,
      maxPayload: this.limits.answerBytes,
      perMessageDeflate: false,
    });
    socket.once('close', () => agent.destroy());
    return socket;
  }

  /** The error for an answer that is none of the expected ones, with the server's own words. */
  refused(call: string, status: number, words: string): AppError {
    const text = said(words);
    return failed(
      `${this.label} refused ${call} (status ${status})${text === '' ? '.' : `: ${text}`}`,
    );
  }

  #request(call: ImageCall, signal: AbortSignal): Promise<Response> {
    const { method = 'GET', path, json, form } = call;
    const headers: Record<string, string> = { ...this.#options.headers };
    if (json !== undefined) headers['content-type'] = 'application/json';
    const body = json === undefined ? form : JSON.stringify(json);
    return this.#fetch(this.#resolve(path).href, {
      method,
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
    });
  }

  async *#chunks(response: Response, { maxBytes }: ImageCall): AsyncGenerator<Buffer> {
    const most = maxBytes ?? this.limits.answerBytes;
    let size = 0;
    if (response.body === null) return;
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > most) {
        throw failed(
          `${this.label} sent more than ${Math.round(most / 1024 / 1024)} MB; the rest was not read.`,
        );
      }
      yield Buffer.from(chunk);
    }
  }

  async #guarded<Result>(
    { signal, timeoutMs }: ImageCall,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { label, limits } = this;
    const ms = timeoutMs === undefined ? limits.quickMs : timeoutMs;
    const limited = ms === null ? signal : AbortSignal.any([signal, AbortSignal.timeout(ms)]);
    try {
      return await work(limited);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof AppError) throw error;
      const cause = error instanceof TypeError ? (error.cause ?? error) : error;
      const denied = asDenial(cause);
      if (denied !== null) throw denied;
      if (isAbortError(error) || limited.aborted) {
        throw failed(`${label} did not answer within ${(ms ?? 0) / 1000} s.`, error);
      }
      throw this.#unreachable(cause);
    }
  }

  #unreachable(cause: unknown): AppError {
    const { code = '' } = cause as { readonly code?: string };
    const { startHint } = this.#options;
    if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN/.test(code)) {
      return unavailable(
        `${this.label} does not answer at ${this.#base.origin}. ${startHint}`,
        cause,
      );
    }
    const why = cause instanceof Error ? said(cause.message) : 'no reason was given';
    return failed(`The connection to ${this.label} broke: ${why}. ${startHint}`, cause);
  }

  #resolve(path: string): URL {
    const base = this.#base.href.replace(/\/+$/, '');
    return new URL(`${base}${path}`);
  }
}

function typeOf({ headers }: Response): string {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase();
}
