import type { ModelRef, ModelServer } from '#contract/entities.ts';
import type { ModelCheckItem } from '#contract/models.ts';
import type { ModelTier, ToolCallMeans } from '#contract/vocabulary.ts';
import type { PictureRef } from './pictures/picture-ref.ts';

/** A JSON Schema object, as sent to models. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An image for a model with vision; `data` is base64 without a prefix. */
export interface ImagePart {
  readonly mimeType: string;
  readonly data: string;
}

/**
 * What a provider wants back with a call, unread and unchanged: the signature of its thinking, or the thinking
 * itself, encrypted. `model` is the model that sent it, as `provider:name`; others would refuse it.
 */
export interface Replay {
  readonly model: string;
  readonly value: unknown;
}

/** A complete call by the model, with an id, a name and an object of arguments. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly replay?: Replay;
}

/** A call that must not run: cut, not JSON, or not an object. `problem` is a message for the model. */
export interface InvalidToolCall {
  readonly id: string;
  readonly name: string;
  readonly rawArguments: string;
  readonly problem: string;
}

export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | {
      readonly role: 'user';
      readonly content: string;
      readonly images?: readonly ImagePart[];
      /** Pictures of the task; `withPictures` sends them. */
      readonly pictures?: readonly PictureRef[];
      /** Belongs to the results before it, and begins no turn. */
      readonly ofResults?: true;
    }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly reasoning?: string;
      readonly toolCalls?: readonly ToolCall[];
    }
  | {
      readonly role: 'tool';
      readonly content: string;
      readonly toolCallId: string;
      readonly toolName: string;
      readonly pictures?: readonly PictureRef[];
    };

export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSchema[];
  /** Tools that the prompt explains, and that are not sent to the server as tools. */
  readonly explainedTools?: readonly ToolSchema[];
  /** Follows the messages in this request only, and so is not part of the prefix. */
  readonly ephemeralMessage?: ChatMessage;
  /** Constrains the answer to this schema, if the server supports it. */
  readonly format?: JsonSchema;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly seed?: number;
}

/** Progress of an answer. Text and reasoning are deltas. */
export type ModelProgress =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  /** Nothing has arrived for `elapsedMs`; the model is probably being loaded. */
  | {
      readonly kind: 'waiting';
      readonly phase: 'connecting' | 'loading';
      readonly elapsedMs: number;
    }
  /** A request without any effect so far is retried. */
  | { readonly kind: 'retrying'; readonly attempt: number; readonly reason: string };

export interface ModelUsage {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly loadMs?: number;
  readonly firstTokenMs?: number;
  readonly durationMs: number;
}

/**
 * Whether a request repeats the messages and tools of the previous request to the same model byte for
 * byte, so that the server can keep its cache. The first request is a hit of 0 bytes.
 */
export interface PrefixReport {
  readonly hit: boolean;
  readonly bytes: number;
}

/**
 * A finished answer. `finish` is `length` if the output limit cut it: then it has no calls, because a call
 * that may be cut is never run.
 */
export interface ModelReply {
  readonly content: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  readonly invalidToolCalls: readonly InvalidToolCall[];
  readonly finish: 'stop' | 'length';
  readonly usage: ModelUsage;
  /** Where its thinking was: a key of the protocol, or `tags` in the text; absent without thinking. */
  readonly reasoningKey?: string;
  /** How the calls were made; absent for an answer without calls. */
  readonly toolMeans?: ToolCallMeans;
  /** Size of the request body that was sent. */
  readonly requestBytes: number;
  readonly prefix: PrefixReport;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ModelProgress) => void;
}

/** What is known about a model before its first request; null if the server does not say. */
export interface ModelFacts {
  readonly trainedContext: number | null;
  readonly tools: boolean | null;
  readonly thinking: boolean | null;
  readonly vision: boolean | null;
  /** The server forwards prompts to a cloud. */
  readonly cloud: boolean;
  /** Changes with the model's file; absent if the server reports nothing of the kind. */
  readonly digest?: string;
}

/**
 * One model, opened for one run: the connection, the window and the options stay the same while it is open.
 * Aborting closes the socket. Errors are `AppError`s with a `MODEL_…` code; text that arrived before the
 * error is in `details.partial`.
 */
export interface ChatModel extends AsyncDisposable {
  readonly ref: ModelRef;
  readonly profile: ModelFacts;
  /** Tokens that a request and its answer may take together; null if unknown. */
  readonly contextWindow: number | null;
  send(request: ModelRequest, options: SendOptions): Promise<ModelReply>;
}

export interface OpenModelOptions {
  /** Overrides the provider's configured address. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** The user has agreed that this model's server forwards everything to a cloud. */
  readonly allowCloud?: boolean;
  readonly signal: AbortSignal;
}

/**
 * The registry of providers. Knows `ollama`, `openai-compatible`, `demo`, the local servers
 * `lm-studio`, `llama-cpp`, `vllm` and `jan`, the clouds `openai`, `anthropic` and `gemini`, and
 * every configured server by its name.
 */
export interface ModelService {
  /**
   * Lists every configured and default local server with its models; unreachable ones are included. Clouds
   * with a key follow, and the demonstration is last.
   */
  listServers(signal: AbortSignal): Promise<ModelServer[]>;
  /** Throws `NO_MODEL`, `MODEL_NOT_FOUND`, `MODEL_SERVER_UNREACHABLE`, `CLOUD_MODEL_NOT_ALLOWED`… */
  open(ref: ModelRef, options: OpenModelOptions): Promise<ChatModel>;
  /** The model of a tier for a task that uses `taskModel`; that model itself if none is set. */
  ofTier(tier: ModelTier, taskModel: ModelRef): ModelRef;
}

export interface CheckProgress {
  readonly item: ModelCheckItem;
  readonly index: number;
  readonly of: number;
}
