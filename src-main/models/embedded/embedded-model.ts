import type { ModelRef } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { requireCapabilities } from '../converse.ts';
import { encodeTools, RequestComposer } from '../request-composer.ts';
import { contextExceeded } from '../server-errors.ts';
import type { Thinking } from '../thinking-switch.ts';
import type {
  ChatMessage,
  ChatModel,
  ModelFacts,
  ModelReply,
  ModelRequest,
  SendOptions,
} from '../types.ts';
import type { LlamaHost } from './llama-host.ts';

const WAITING_EVERY_MS = 1_000;
/** Limit if the request sets none: a model that writes more is stuck in a loop. */
const MAX_ANSWER_TOKENS = 8_192;

export interface EmbeddedModelOptions {
  readonly ref: ModelRef;
  readonly facts: ModelFacts;
  readonly contextWindow: number;
  readonly thinking: Thinking;
  readonly host: LlamaHost;
  /** Releases the host, which may stay loaded for the next run. */
  readonly release: () => void;
}

/** A model from a GGUF file, in a separate process. */
export class EmbeddedModel implements ChatModel {
  readonly ref: ModelRef;
  readonly profile: ModelFacts;
  readonly contextWindow: number;
  readonly #thinking: Thinking;
  readonly #host: LlamaHost;
  readonly #release: () => void;
  readonly #composer = new RequestComposer({ encode: toTemplateMessage });

  constructor({ ref, facts, contextWindow, thinking, host, release }: EmbeddedModelOptions) {
    this.#thinking = thinking;
    this.ref = ref;
    this.profile = facts;
    this.contextWindow = contextWindow;
    this.#host = host;
    this.#release = release;
  }

  async send(request: ModelRequest, { signal, onProgress }: SendOptions): Promise<ModelReply> {
    signal.throwIfAborted();
    requireCapabilities(this.ref.name, this.profile, request);
    const { body, prefix } = this.#composer.compose({
      head: { tools: encodeTools(request.tools) },
      messages: request.messages,
      ephemeralMessage: request.ephemeralMessage,
      tail: {},
    });
    const { AnswerBuilder } = await import('../answer-builder.ts');
    const builder = new AnswerBuilder(request, onProgress);
    const began = performance.now();
    let firstTokenMs: number | null = null;
    const timer = setInterval(() => {
      const elapsedMs = Math.round(performance.now() - began);
      if (firstTokenMs === null) onProgress({ kind: 'waiting', phase: 'loading', elapsedMs });
    }, WAITING_EVERY_MS);
    const outcome = await this.#host
      .request(
        {
          kind: 'generate',
          ...(JSON.parse(body.toString('utf8')) as Record<string, unknown>),
          ...(this.#thinking === null ? {} : { thinking: this.#thinking }),
          maxTokens: request.maxOutputTokens ?? MAX_ANSWER_TOKENS,
          temperature: request.temperature ?? 0.7,
          ...(request.seed === undefined ? {} : { seed: request.seed }),
          ...(request.format === undefined ? {} : { schema: request.format }),
        },
        {
          signal,
          onText: (text) => {
            firstTokenMs ??= performance.now() - began;
            builder.text(text);
          },
        },
      )
      .catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        const details = { ...error.details, partial: builder.endInterrupted() };
        throw new AppError(error.code, error.message, { details, cause: error });
      })
      .finally(() => clearInterval(timer));
    if (outcome.kind !== 'done') throw this.#refusal(outcome);
    const { finish, promptTokens, completionTokens } = outcome;
    return {
      ...builder.build(finish),
      finish,
      usage: {
        ...{ promptTokens, completionTokens, durationMs: performance.now() - began },
        ...(firstTokenMs === null ? {} : { firstTokenMs }),
      },
      requestBytes: body.length,
      prefix,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#release();
  }

  #refusal(outcome: {
    kind: string;
    reason?: string;
    message?: string;
    promptTokens?: number | undefined;
  }): AppError {
    if (outcome.reason === 'too_long') {
      const { promptTokens = null } = outcome;
      return contextExceeded(this.ref.name, { promptTokens, contextWindow: this.contextWindow });
    }
    return new AppError(
      'MODEL_BAD_REQUEST',
      `${this.ref.name} could not answer: ${outcome.message ?? 'no reason given'}`,
    );
  }
}

/** A message as chat templates expect it; arguments are objects. */
function toTemplateMessage(message: ChatMessage): unknown {
  switch (message.role) {
    case 'assistant': {
      const { content, toolCalls = [] } = message;
      const tool_calls = toolCalls.map(({ id, name, arguments: given }) => ({
        ...{ id, type: 'function', function: { name, arguments: given } },
      }));
      return { role: 'assistant', content, ...(tool_calls.length > 0 ? { tool_calls } : {}) };
    }
    case 'tool':
      return { role: 'tool', content: message.content, name: message.toolName };
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
  }
}
