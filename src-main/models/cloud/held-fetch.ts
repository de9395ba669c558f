import { ReadableStream } from 'node:stream/web';

/**
 * A `fetch` that sends nothing. It hands over the body that a LangChain class has composed, and gives the class
 * the answer that our own connection received: who dials, which headers go out, how long anything may take and
 * what is tried again stays with `converse`, and the class never holds the key.
 */
export class HeldFetch {
  readonly #asked = Promise.withResolvers<string>();
  readonly #answer = Promise.withResolvers<Response>();

  constructor() {
    // The class may already have given up when nobody answers it.
    this.#answer.promise.catch(() => undefined);
  }

  readonly fetch: typeof globalThis.fetch = (_url, init) => {
    this.#asked.resolve(String(init?.body ?? ''));
    return this.#answer.promise;
  };

  /** The body, once the class has composed it. */
  get body(): Promise<string> {
    return this.#asked.promise;
  }

  /** Answers the class with a stream of events. */
  answer(events: AsyncIterable<Uint8Array>): void {
    const headers = { 'content-type': 'text/event-stream' };
    this.#answer.resolve(new Response(ReadableStream.from(events), { status: 200, headers }));
  }

  /** Ends a request that gets no answer. Does nothing after `answer`. */
  giveUp(): void {
    this.#answer.reject(new Error('The request got no answer.'));
  }
}
