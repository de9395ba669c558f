import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request as it arrived, and how its connection ended. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body byte for byte, as text. */
  readonly body: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
  /** Number of the TCP connection it came over, from 1. */
  readonly connection: number;
  /** Indices of the messages that were dropped to fit the window. */
  dropped: readonly number[];
  /** Tokens of the prompt by the server's own count, before anything was dropped. */
  promptTokens: number | null;
  /** True when the client went away before the answer was finished. */
  aborted: boolean;
  /** Settles when the answer is over, one way or the other. */
  readonly closed: Promise<void>;
}

/** Everything that reached the server, in order. */
export class Recording {
  readonly requests: RecordedRequest[] = [];
  #connections = 0;

  get connections(): number {
    return this.#connections;
  }

  /** Numbers a new connection. */
  connect(): number {
    this.#connections += 1;
    return this.#connections;
  }

  add(
    request: IncomingMessage,
    response: ServerResponse,
    arrived: { body: string; connection: number },
  ): RecordedRequest {
    const recorded: RecordedRequest = {
      method: request.method ?? '',
      path: (request.url ?? '').split('?')[0] ?? '',
      headers: request.headers,
      body: arrived.body,
      json: parse(arrived.body),
      connection: arrived.connection,
      dropped: [],
      promptTokens: null,
      aborted: false,
      closed: new Promise((resolve) => {
        response.once('close', () => {
          recorded.aborted = !response.writableFinished;
          resolve();
        });
      }),
    };
    this.requests.push(recorded);
    return recorded;
  }

  /** The requests to one path. */
  to(path: string): RecordedRequest[] {
    return this.requests.filter((request) => request.path === path);
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // What is no JSON is recorded as text.
    return undefined;
  }
}
