import type { ModelRef } from '#contract/entities.ts';
import type { AppError } from '#contract/errors.ts';
import { delay, isAbortError } from '../../base/abort.ts';
import { converse, requireCapabilities } from '../converse.ts';
import { type Fields, type FixMemory, sendFixed } from '../parameter-fixes.ts';
import { encodeTools, RequestComposer } from '../request-composer.ts';
import { type Thinking, thinkingFields, withThinkingWord } from '../thinking-switch.ts';
import type { ServerConnection } from '../transport/server-connection.ts';
import type { ChatModel, ModelFacts, ModelReply, ModelRequest, SendOptions } from '../types.ts';
import { LoadedWindow, readServerWindow } from '../window/read-window.ts';
import type { OpenAiErrorContext } from './openai-errors.ts';
import { readOpenAiAnswer, type StreamFindings } from './openai-stream.ts';
import { encodeOpenAiMessage, REASONING_KEYS, type ReasoningKey } from './openai-wire.ts';

export interface OpenAiModelOptions {
  readonly ref: ModelRef;
  /** Its address ends where `/chat/completions` begins. */
  readonly connection: ServerConnection;
  readonly profile: ModelFacts;
  readonly contextWindow: number | null;
  readonly thinking: Thinking;
  readonly keyHint: string | null;
  readonly fixes: FixMemory;
  /** Where the model's thinking was in earlier runs, as far as known: there it is sent back. */
  readonly thinkingKey: string | null;
}

const READY_POLL_MS = 1_000;
const READY_LIMIT_MS = 600_000;

/** A model behind OpenAI's `/chat/completions`, on this machine or elsewhere. */
export class OpenAiModel implements ChatModel {
  readonly ref: ModelRef;
  readonly profile: ModelFacts;
  readonly #options: OpenAiModelOptions;
  readonly #window: LoadedWindow;
  readonly #findings: StreamFindings;
  readonly #composer = new RequestComposer({
    encode: (message, options) => {
      const { thinking, ref } = this.#options;
      const asked = withThinkingWord(message, { model: ref.name, thinking });
      return encodeOpenAiMessage(asked, { ...options, ...this.#findings });
    },
  });

  constructor(options: OpenAiModelOptions) {
    this.ref = options.ref;
    this.profile = options.profile;
    this.#options = options;
    const { provider, name } = options.ref;
    const reasoningKey = reasoningKeyOf(options.thinkingKey);
    this.#findings = { reasoningKey, modelKey: `${provider}:${name}` };
    // Cloud services have no such endpoint.
    this.#window = new LoadedWindow(options.contextWindow, async (signal) =>
      options.profile.cloud ? null : readServerWindow(options.connection, name, signal),
    );
  }

  get contextWindow(): number | null {
    return this.#window.tokens;
  }

  async send(request: ModelRequest, options: SendOptions): Promise<ModelReply> {
    options.signal.throwIfAborted();
    requireCapabilities(this.ref.name, this.profile, request);
    return sendFixed(this.#fields(request), {
      memory: this.#options.fixes,
      attempt: (fields) => this.#send(fields, request, options),
      onRetry: (reason) => options.onProgress({ kind: 'retrying', attempt: 1, reason }),
    });
  }

  async #send(fields: Fields, request: ModelRequest, options: SendOptions): Promise<ModelReply> {
    const { connection, keyHint } = this.#options;
    const { response_format, ...head } = fields;
    const { body, prefix } = this.#composer.compose({
      head,
      messages: request.messages,
      ephemeralMessage: request.ephemeralMessage,
      tail: response_format === undefined ? {} : { response_format },
    });
    const context: OpenAiErrorContext = {
      model: this.ref.name,
      server: connection.identity,
      secrets: connection.secrets,
      keyHint,
    };
    const answer = await converse(
      {
        connection,
        path: '/chat/completions',
        body,
        request,
        read: (http, builder) =>
          readOpenAiAnswer(http, builder, { context, findings: this.#findings }),
        untilReady: (busy) => this.#untilReady(busy, options),
      },
      options,
    );
    this.#window.readBack();
    return { ...answer, requestBytes: body.length, prefix };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#window.close();
    this.#options.connection.close();
  }

  /** Every field but the messages. */
  #fields(request: ModelRequest): Fields {
    const { tools, temperature, seed, maxOutputTokens } = request;
    const { thinking } = this.#options;
    return {
      model: this.ref.name,
      stream: true,
      stream_options: { include_usage: true },
      ...thinkingFields(this.ref.name, { thinking, isCloud: this.profile.cloud }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(seed === undefined ? {} : { seed }),
      ...(maxOutputTokens === undefined ? {} : { max_tokens: maxOutputTokens }),
      ...(tools.length > 0 ? { tools: encodeTools(tools) } : {}),
      ...formatOf(request),
    };
  }

  /**
   * llama.cpp answers 503 while it loads the model, which is not a failure: `/health` is polled once a
   * second until loading is done. Any other busy server gets one pause.
   */
  async #untilReady(busy: AppError, { signal, onProgress }: SendOptions): Promise<void> {
    const isLoading = /loading model/i.test(busy.message);
    const startedAt = performance.now();
    do {
      await delay(READY_POLL_MS, signal);
      if (!isLoading) return;
      const elapsedMs = Math.round(performance.now() - startedAt);
      onProgress({ kind: 'waiting', phase: 'loading', elapsedMs });
      if (elapsedMs > READY_LIMIT_MS) return;
    } while (!(await this.#isReady(signal)));
  }

  async #isReady(signal: AbortSignal): Promise<boolean> {
    const { connection } = this.#options;
    try {
      const health = { method: 'GET', path: '/health', limitMs: READY_POLL_MS, signal } as const;
      return (await connection.small(health)).status !== 503;
    } catch (error) {
      if (signal.aborted || isAbortError(error)) throw error;
      // Any other problem will show when the request itself is repeated.
      return true;
    }
  }
}

function reasoningKeyOf(key: string | null): ReasoningKey | null {
  return REASONING_KEYS.find((one) => one === key) ?? null;
}

function formatOf(request: ModelRequest): Record<string, unknown> {
  if (request.format === undefined) return {};
  const json_schema = { name: 'answer', schema: request.format };
  return { response_format: { type: 'json_schema', json_schema } };
}
