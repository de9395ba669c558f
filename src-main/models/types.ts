import type { ModelRef, ModelServer } from '#contract/entities.ts';
import type {
  ModelCheckItem,
  ModelProfile,
  ModelPull,
  TierRecommendation,
} from '#contract/models.ts';
import type { ModelTier, ToolCallMeans } from '#contract/vocabulary.ts';

/** A JSON Schema object as models are given it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An image for a model with vision; `data` is base64 without a prefix. */
export interface ImagePart {
  readonly mimeType: string;
  readonly data: string;
}

/** A call the model made completely: it has an id, a name and an object of arguments. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A call that must not run: cut, not JSON, or not an object. `problem` is told to the model. */
export interface InvalidToolCall {
  readonly id: string;
  readonly name: string;
  readonly rawArguments: string;
  readonly problem: string;
}

export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string; readonly images?: readonly ImagePart[] }
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
    };

export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSchema[];
  /** Tools that the prompt explains in words, and that the server is not told of. */
  readonly explainedTools?: readonly ToolSchema[];
  /** Stands after the messages in this request alone, and so is no part of the prefix. */
  readonly ephemeralMessage?: ChatMessage;
  /** Constrains the answer to this schema where the server can. */
  readonly format?: JsonSchema;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly seed?: number;
}

/** What happens while an answer is on its way. Text and reasoning are deltas. */
export type ModelProgress =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  /** Nothing came yet for `elapsedMs`; a cold model is probably being loaded. */
  | {
      readonly kind: 'waiting';
      readonly phase: 'connecting' | 'loading';
      readonly elapsedMs: number;
    }
  /** A request that had no effect yet is made again. */
  | { readonly kind: 'retrying'; readonly attempt: number; readonly reason: string };

export interface ModelUsage {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly loadMs?: number;
  readonly firstTokenMs?: number;
  readonly durationMs: number;
}

/**
 * Whether a request repeated the messages and tools of the request before it on the same model
 * byte for byte, which is what lets the server keep its cache. The first request is a hit of 0 bytes.
 */
export interface PrefixReport {
  readonly hit: boolean;
  readonly bytes: number;
}

/**
 * A finished answer. `finish` is `length` when the output limit cut it: then it holds no calls,
 * for a call that may be half is never run.
 */
export interface ModelReply {
  readonly content: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  readonly invalidToolCalls: readonly InvalidToolCall[];
  readonly finish: 'stop' | 'length';
  readonly usage: ModelUsage;
  /** Where its thinking came: a key of the protocol, or `tags` in the text; absent where it did not think. */
  readonly reasoningKey?: string;
  /** How its calls came; absent for an answer without calls. */
  readonly toolMeans?: ToolCallMeans;
  /** Size of the request body that was sent. */
  readonly requestBytes: number;
  readonly prefix: PrefixReport;
}

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ModelProgress) => void;
}

/** What is known of a model before it is asked; null where the server does not say. */
export interface ModelFacts {
  readonly trainedContext: number | null;
  readonly tools: boolean | null;
  readonly thinking: boolean | null;
  readonly vision: boolean | null;
  /** The server forwards prompts to a cloud. */
  readonly cloud: boolean;
  /** Changes with the model's file; absent where the server gives nothing of the kind. */
  readonly digest?: string;
}

/**
 * One model, opened for one run: the connection, the window and the options stay the same while it
 * is open. Aborting closes the socket. Errors are `AppError`s with a `MODEL_…` code; the text that
 * arrived before one is in `details.partial`.
 */
export interface ChatModel extends AsyncDisposable {
  readonly ref: ModelRef;
  readonly profile: ModelFacts;
  /** Tokens that a request and its answer may take together; null when nobody knows. */
  readonly contextWindow: number | null;
  send(request: ModelRequest, options: SendOptions): Promise<ModelReply>;
}

export interface OpenModelOptions {
  /** Overrides the provider's configured address. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** The person agreed that this model's server forwards everything to a cloud. */
  readonly allowCloud?: boolean;
  readonly signal: AbortSignal;
}

/**
 * The registry of providers. Knows `ollama`, `openai-compatible`, `demo`, the local servers
 * `lm-studio`, `llama-cpp`, `vllm` and `jan`, the services `openai`, `anthropic` and `gemini`, and
 * every configured server by its name.
 */
export interface ModelService {
  /** Asks every configured and default local server what it has; unreachable ones are listed too. */
  listServers(signal: AbortSignal): Promise<ModelServer[]>;
  /** Throws `NO_MODEL`, `MODEL_NOT_FOUND`, `MODEL_SERVER_UNREACHABLE`, `CLOUD_MODEL_NOT_ALLOWED`… */
  open(ref: ModelRef, options: OpenModelOptions): Promise<ChatModel>;
  /** The model of a tier for a task that uses `taskModel`, which is the answer where none is set. */
  ofTier(tier: ModelTier, taskModel: ModelRef): ModelRef;
}

export interface CheckProgress {
  readonly item: ModelCheckItem;
  readonly index: number;
  readonly of: number;
}

/** Everything about models that people look at and manage, for windows and the terminal. */
export interface ModelApi {
  listServers(signal: AbortSignal): Promise<ModelServer[]>;
  /** What is known; the server is asked what was never asked before. Throws as `ModelService.open`. */
  profile(model: ModelRef, signal: AbortSignal): Promise<ModelProfile>;
  /** Every profile that is kept. */
  known(): ModelProfile[];
  /**
   * Sets the model its tasks and keeps the report card. Throws `CONFLICT` while another check is going
   * on, `CANCELLED` after `cancelCheck`, and as `ModelService.open`.
   */
  check(
    model: ModelRef,
    options: { readonly onItem: (progress: CheckProgress) => void },
  ): Promise<ModelProfile>;
  /** Harmless when there is no check. */
  cancelCheck(): void;
  /** One for each tier, in order, from what is installed. */
  recommend(signal: AbortSignal): Promise<TierRecommendation[]>;
  /** Starts a pull, or goes on with one; the last report has an end. Throws `BAD_REQUEST` for servers that cannot. */
  pull(model: ModelRef, onProgress: (pull: ModelPull) => void): Promise<ModelPull>;
  /** Harmless when there is no such pull. What came stays on the server for the next one. */
  cancelPull(model: ModelRef): void;
  /** Newest first. */
  pulls(): ModelPull[];
}
