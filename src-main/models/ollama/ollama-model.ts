import type { ModelRef } from '#contract/entities.ts';
import { converse, requireCapabilities } from '../converse.ts';
import { encodeTools, RequestComposer } from '../request-composer.ts';
import { ollamaThink, type Thinking } from '../thinking-switch.ts';
import type { ServerConnection } from '../transport/server-connection.ts';
import type { ChatModel, ModelFacts, ModelReply, ModelRequest, SendOptions } from '../types.ts';
import { LoadedWindow, readOllamaWindow } from '../window/read-window.ts';
import { readOllamaAnswer } from './ollama-stream.ts';
import { encodeOllamaMessage } from './ollama-wire.ts';

export interface OllamaModelOptions {
  readonly ref: ModelRef;
  readonly connection: ServerConnection;
  readonly profile: ModelFacts;
  /** Sent as `num_ctx` with every request; with another value Ollama would load the model again. */
  readonly contextWindow: number;
  readonly thinking: Thinking;
}

/**
 * A model of Ollama over its own `/api/chat`, which unlike its `/v1` accepts the window, reports errors in
 * mid-stream and says whether it is done. `truncate` and `shift` are off: a prompt that does not fit is
 * then an error, and Ollama drops no messages silently.
 */
export class OllamaModel implements ChatModel {
  readonly ref: ModelRef;
  readonly profile: ModelFacts;
  /** Sent with every request; with another value Ollama would load the model again. */
  readonly #askedWindow: number;
  readonly #thinking: Thinking;
  readonly #window: LoadedWindow;
  readonly #connection: ServerConnection;
  readonly #composer = new RequestComposer({ encode: encodeOllamaMessage });

  constructor(options: OllamaModelOptions) {
    this.ref = options.ref;
    this.profile = options.profile;
    this.#askedWindow = options.contextWindow;
    this.#thinking = options.thinking;
    this.#connection = options.connection;
    this.#window = new LoadedWindow(options.contextWindow, (signal) =>
      readOllamaWindow(options.connection, options.ref.name, signal),
    );
  }

  get contextWindow(): number | null {
    return this.#window.tokens;
  }

  async send(request: ModelRequest, options: SendOptions): Promise<ModelReply> {
    options.signal.throwIfAborted();
    requireCapabilities(this.ref.name, this.profile, request);
    const { body, prefix } = this.#composer.compose({
      head: this.#head(request),
      messages: request.messages,
      ephemeralMessage: request.ephemeralMessage,
      tail: request.format === undefined ? {} : { format: request.format },
    });
    const { identity: server, secrets } = this.#connection;
    const context = { model: this.ref.name, server, secrets };
    const answer = await converse(
      {
        connection: this.#connection,
        path: '/api/chat',
        body,
        request,
        read: (http, builder) => readOllamaAnswer(http, builder, context),
      },
      options,
    );
    this.#window.readBack();
    return { ...answer, requestBytes: body.length, prefix };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#window.close();
    this.#connection.close();
  }

  #head(request: ModelRequest): Record<string, unknown> {
    const { tools, temperature, seed, maxOutputTokens } = request;
    const canThink = this.profile.thinking;
    const think = ollamaThink(this.ref.name, { thinking: this.#thinking, canThink });
    return {
      model: this.ref.name,
      stream: true,
      truncate: false,
      shift: false,
      ...(think === undefined ? {} : { think }),
      options: {
        num_ctx: this.#askedWindow,
        ...(temperature === undefined ? {} : { temperature }),
        ...(seed === undefined ? {} : { seed }),
        ...(maxOutputTokens === undefined ? {} : { num_predict: maxOutputTokens }),
      },
      ...(tools.length > 0 ? { tools: encodeTools(tools) } : {}),
    };
  }
}
