import { nestsTooDeeply } from '../../base/outside-json.ts';
import { isRecord, parseJson } from '../json-text.ts';
import {
  type OpenAiErrorContext,
  openAiError,
  readOpenAiRefusal,
} from '../openai/openai-errors.ts';
import { brokenStream, NESTED, notAModelServer } from '../server-errors.ts';
import type { HttpAnswer } from '../transport/http-stream.ts';
import { LineDecoder } from '../transport/line-decoder.ts';
import { type ServerSentEvent, SseDecoder } from '../transport/sse-decoder.ts';
import { STREAM_LIMITS } from '../transport/stream-watch.ts';

/** What an event of a stream says about the answer as a whole. */
export type WireEvent =
  | { readonly kind: 'other' }
  /** It holds a part of the answer. */
  | { readonly kind: 'content' }
  | { readonly kind: 'end'; readonly finish: 'stop' | 'length' }
  /** The server stopped the answer for a reason of its own. */
  | { readonly kind: 'stopped'; readonly reason: string }
  | { readonly kind: 'error' };

/** Reads the events of one answer beside LangChain, for what LangChain does not tell. */
export interface WireReader {
  read(event: Readonly<Record<string, unknown>>): WireEvent;
  /** What the model wants back with its calls; undefined if there is nothing. */
  replay(): unknown;
  /** The arguments of finished calls by id, for servers that repeat them as a whole. */
  finalArguments(): ReadonlyMap<string, string>;
}

const encoder = new TextEncoder();

/**
 * Checks the events of an answer before a LangChain class sees them. The class takes a stream that is cut,
 * has an error in it or no finish reason for a complete one; here each of these is a failure, kept for the
 * caller, because the class may wrap or drop it. Enforces the limits of the connection's watch.
 */
export class StreamGuard {
  readonly #answer: HttpAnswer;
  readonly #context: OpenAiErrorContext;
  readonly #reader: WireReader;
  readonly #decoder = new SseDecoder();
  #isFirst = true;
  #finish: 'stop' | 'length' | null = null;
  #failure: unknown = null;

  constructor(
    answer: HttpAnswer,
    { context, reader }: { context: OpenAiErrorContext; reader: WireReader },
  ) {
    this.#answer = answer;
    this.#context = context;
    this.#reader = reader;
  }

  /** Why the stream ended before the answer did, which `finish` throws; null if it did not. */
  get failure(): unknown {
    return this.#failure;
  }

  /** How the answer ended. Throws `failure`, and `MODEL_STREAM_BROKEN` if no event said that it is finished. */
  finish(): 'stop' | 'length' {
    if (this.#failure !== null) throw this.#failure;
    if (this.#finish !== null) return this.#finish;
    if (this.#isFirst) throw notAModelServer(this.#context.server, 'it did not send a chat answer');
    throw brokenStream(this.#context.server, 'its end is missing, so it may be cut');
  }

  /** The events, each whole. Ends with the one that finishes the answer. */
  async *events(): AsyncGenerator<Uint8Array> {
    try {
      const lines = new LineDecoder(STREAM_LIMITS.maxLineBytes);
      for await (const bytes of this.#answer.chunks) {
        for (const line of lines.push(bytes)) {
          this.#answer.watch.alive();
          yield* this.#take(line);
          if (this.#finish !== null) return;
        }
      }
      yield* this.#take(lines.end());
      yield* this.#take('');
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  *#take(line: string): Generator<Uint8Array> {
    if (this.#isFirst) this.#checkFormat(line);
    const event = this.#decoder.push(line);
    if (event === null || event.data === '[DONE]') return;
    const value = this.#check(event);
    // On one line, because the class may split lines elsewhere than we do.
    yield encoder.encode(`event: ${event.name}\ndata: ${JSON.stringify(value)}\n\n`);
  }

  /** A web page or plain JSON in place of events. */
  #checkFormat(line: string): void {
    const { server } = this.#context;
    const start = line.trimStart();
    if (start.startsWith('<')) throw notAModelServer(server, 'it sent a web page');
    if (!start.startsWith('{') && !start.startsWith('[')) return;
    const value = parseJson(line);
    throw isRecord(value) && value.error
      ? openAiError(readOpenAiRefusal('line', line), this.#context)
      : notAModelServer(server, 'it did not send a chat answer');
  }

  /** The fields of an event, once it is known to be part of an answer. Throws for everything else. */
  #check({ name, data }: ServerSentEvent): Record<string, unknown> {
    const { server } = this.#context;
    if (nestsTooDeeply(data)) throw brokenStream(server, NESTED);
    const value = parseJson(data);
    if (!isRecord(value)) {
      throw this.#isFirst
        ? notAModelServer(server, 'it did not send a chat answer')
        : brokenStream(server, 'it contains an unexpected line');
    }
    this.#isFirst = false;
    const read: WireEvent = name === 'error' ? { kind: 'error' } : this.#reader.read(value);
    switch (read.kind) {
      case 'other':
        return value;
      case 'content':
        this.#answer.watch.answering();
        return value;
      case 'end':
        this.#finish = read.finish;
        return value;
      case 'stopped':
        throw brokenStream(server, `the server stopped it (${read.reason})`);
      case 'error': {
        const body = isRecord(value.response) ? JSON.stringify(value.response) : data;
        throw openAiError(readOpenAiRefusal('line', body), this.#context);
      }
    }
  }
}
