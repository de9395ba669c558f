import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AppError } from '#contract/errors.ts';
import { fetchThrough } from '../egress/fetch-through.ts';
import { type EgressTarget, targetOfUrl } from '../egress/target.ts';
import type { EgressClient } from '../egress/types.ts';
import type { ConnectorValues } from '../storage/connector-store.ts';
import { MOST_MESSAGE_BYTES } from './message-lines.ts';
import { SIGN_IN_PROBLEM, type SignInProvider } from './sign-in.ts';

export interface RemoteParts {
  readonly url: string;
  readonly headers: ConnectorValues;
  /** The egress client for a host: that of the server, or one where the user signs in. */
  readonly egressFor: (target: EgressTarget) => EgressClient;
  readonly signIn: SignInProvider;
}

/**
 * A server at an address, over streamable HTTP. Redirects are refused; an answer is bounded; tokens are renewed once,
 * however many requests need it.
 */
export class RemoteTransport extends StreamableHTTPClientTransport {
  readonly #signIn: SignInProvider;

  constructor({ url, headers, egressFor, signIn }: RemoteParts) {
    super(new URL(url), {
      fetch: boundedFetch(new URL(url), egressFor, signIn),
      authProvider: signIn,
      requestInit: { headers: { ...headers } },
      reconnectionOptions: {
        ...{ initialReconnectionDelay: 1_000, maxReconnectionDelay: 30_000 },
        ...{ reconnectionDelayGrowFactor: 2, maxRetries: 3 },
      },
    });
    this.#signIn = signIn;
  }

  /** Why it does not work, where more is known than what the error says. */
  get problem(): string | null {
    return this.#signIn.wasNeeded ? SIGN_IN_PROBLEM : null;
  }
}

/** Answers to a renewal stay for those who ask for the same at nearly the same time. */
const SHARED_MS = 10_000;

function boundedFetch(
  server: URL,
  egressFor: (target: EgressTarget) => EgressClient,
  signIn: SignInProvider,
): typeof globalThis.fetch {
  const renewals = new Map<string, Promise<Response>>();
  /** The access tokens that the server refused. */
  const refused = new Set<string>();
  const send = fetchThrough(egressFor);
  const plain = async (address: string, init: RequestInit): Promise<Response> => {
    const url = new URL(address);
    if (url.protocol !== 'https:' && targetOfUrl(url).host !== targetOfUrl(server).host) {
      throw new AppError(
        'BAD_REQUEST',
        `${url.origin} is no address to sign in at: it is not https.`,
      );
    }
    const signal = init.signal ?? new AbortController().signal;
    const answer = await send(address, { ...init, signal });
    if (answer.body === null) return answer;
    // An event stream is open as long as the server likes: there each event is bounded.
    const isStream = answer.headers.get('content-type')?.includes('text/event-stream') === true;
    const { status, headers } = answer;
    return new Response(answer.body.pipeThrough(atMost(isStream)), { status, headers });
  };
  return async (input, init = {}) => {
    const address =
      typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
    const renewal = renewalIn(init);
    if (renewal === null) {
      const answer = await plain(address, init);
      const [, token] =
        /^Bearer (.+)$/.exec(new Headers(init.headers).get('authorization') ?? '') ?? [];
      if (token !== undefined && (answer.status === 401 || answer.status === 403))
        refused.add(token);
      return answer;
    }
    // Another request has renewed them meanwhile.
    const tokens = signIn.tokens();
    const isCurrent = tokens?.refresh_token === renewal.get('refresh_token');
    if (tokens !== undefined && isCurrent && !refused.has(tokens.access_token)) {
      return Response.json(tokens);
    }
    const key = `${address} ${renewal}`;
    const shared = renewals.get(key) ?? plain(address, init);
    renewals.set(key, shared);
    setTimeout(() => renewals.delete(key), SHARED_MS).unref();
    return (await shared).clone();
  };
}

/** The body of a request that renews tokens; null for any other. */
function renewalIn({ method, body }: RequestInit): URLSearchParams | null {
  if (method !== 'POST' || !(body instanceof URLSearchParams)) return null;
  return body.get('grant_type') === 'refresh_token' ? body : null;
}

/** Fails a body that is longer than a message may be, or an event stream without the end of an event in so much. */
function atMost(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      if (isStream && endsEvent(chunk)) bytes = 0;
      if (bytes > MOST_MESSAGE_BYTES) {
        controller.error(new Error('The server sent a message of more than 8 MB.'));
      } else controller.enqueue(chunk);
    },
  });
}

/** Whether an empty line is in it. */
function endsEvent(chunk: Uint8Array): boolean {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return text.includes('\n\n') || text.includes('\r\n\r\n');
}
