import type http from 'node:http';
import { AppError } from '#contract/errors.ts';
import type { KnownSecrets } from '../../base/known-secrets.ts';
import { type ServerIdentity, secretsOfAddress, shownAddress } from '../server-errors.ts';
import type { CreateAgent } from './create-agent.ts';
import { exchange, type HttpAnswer, readText } from './http-stream.ts';
import type { StreamLimits } from './stream-watch.ts';

export interface ConnectionOptions {
  readonly baseUrl: string;
  readonly label: string;
  readonly startHint: string;
  /** Sent as a bearer token, or in the header `keyHeader`; null for servers that need none. */
  readonly apiKey: string | null;
  readonly keyHeader?: string | undefined;
  /** Sent with every request, besides the key. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly createAgent: CreateAgent;
  readonly limits: StreamLimits;
  /** Secrets that are removed from what the server sends. */
  readonly known?: KnownSecrets;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  readonly onWaiting: (phase: 'connecting' | 'loading', elapsedMs: number) => void;
}

export interface SmallRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** `path` replaces this end of the base address instead of following it. */
  readonly replaces?: string;
  readonly body?: unknown;
  readonly signal: AbortSignal;
  /** Limit for connecting, and again for the answer. */
  readonly limitMs: number;
  /** Limit for the answer, if it may be longer than usual. */
  readonly maxBytes?: number;
}

export interface SmallAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Enough for a list of a thousand models; a batch of embeddings needs more. */
const SMALL_ANSWER_BYTES = 2 * 1024 * 1024;

/** A connection to one server: its address, its key and its own pool of kept-alive sockets. */
export class ServerConnection {
  readonly identity: ServerIdentity;
  /** Secrets that go to this server and nowhere else: its key, and the password in its address. */
  readonly secrets: readonly string[];
  readonly url: URL;
  readonly #agent: http.Agent;
  readonly #limits: StreamLimits;
  readonly #known: KnownSecrets | null;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #closed = new AbortController();

  /** Throws `BAD_REQUEST` if the address is not http(s), `MODEL_UNAUTHORIZED` for an impossible key. */
  constructor(options: ConnectionOptions) {
    this.url = parseAddress(options.baseUrl);
    this.identity = {
      label: options.label,
      address: shownAddress(this.url),
      startHint: options.startHint,
    };
    this.secrets = [
      ...(options.apiKey === null ? [] : [options.apiKey]),
      ...secretsOfAddress(this.url),
    ];
    this.#headers = { ...options.headers, ...authorization(options) };
    this.#limits = options.limits;
    this.#known = options.known ?? null;
    this.#agent = options.createAgent(this.url);
  }

  /** Posts `body` and passes the streamed answer to `read`. Rejects as `exchange` does. */
  stream<T>(
    path: string,
    body: Buffer,
    options: StreamOptions & { read: (answer: HttpAnswer) => Promise<T> },
  ): Promise<T> {
    return exchange(
      {
        url: this.#resolve(path),
        method: 'POST',
        headers: this.#headers,
        body,
        agent: this.#agent,
        limits: this.#limits,
        signal: AbortSignal.any([options.signal, this.#closed.signal]),
        onWaiting: options.onWaiting,
      },
      options.read,
    );
  }

  /** A request with a small answer, returned whole and without known secrets. Rejects as `exchange` does. */
  small(request: SmallRequest): Promise<SmallAnswer> {
    const { limitMs } = request;
    return exchange(
      {
        url: this.#resolve(request.path, request.replaces),
        method: request.method,
        headers: this.#headers,
        ...(request.body === undefined ? {} : { body: Buffer.from(JSON.stringify(request.body)) }),
        agent: this.#agent,
        limits: { ...this.#limits, connectMs: limitMs, firstTokenMs: limitMs },
        signal: AbortSignal.any([request.signal, this.#closed.signal]),
      },
      async (answer) => ({
        status: answer.status,
        contentType: answer.contentType,
        text: this.withoutSecrets(await readText(answer, request.maxBytes ?? SMALL_ANSWER_BYTES)),
      }),
    );
  }

  /** Removes known secrets from what the server sends or gets. */
  withoutSecrets<Value>(value: Value): Value {
    return this.#known?.value(value) ?? value;
  }

  /** Closes every connection: running requests and later ones end with `CANCELLED`. */
  close(): void {
    this.#closed.abort(new AppError('CANCELLED', 'The connection to the model was closed.'));
    this.#agent.destroy();
  }

  /** `path` below the base address, with exactly one slash between them. */
  #resolve(path: string, replaces = ''): URL {
    const url = new URL(this.url);
    const base = url.pathname.replace(/\/+$/, '');
    url.pathname = `${base.endsWith(replaces) ? base.slice(0, base.length - replaces.length) : base}${path}`;
    return url;
  }
}

function parseAddress(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new AppError(
      'BAD_REQUEST',
      `"${withoutUserInfo(text)}" is not the address of a server. Enter one like http://127.0.0.1:11434.`,
    );
  }
  url.search = '';
  url.hash = '';
  return url;
}

/** An invalid address may contain a password all the same. */
function withoutUserInfo(text: string): string {
  return text.replace(/^(.*?:\/*)?.*@/s, '$1');
}

function authorization({ apiKey, label, keyHeader }: ConnectionOptions): Record<string, string> {
  if (apiKey === null) return {};
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new AppError(
      'MODEL_UNAUTHORIZED',
      `The key for ${label} contains invalid characters (spaces, line ends or letters with accents). Enter it again.`,
    );
  }
  return keyHeader === undefined ? { authorization: `Bearer ${apiKey}` } : { [keyHeader]: apiKey };
}
