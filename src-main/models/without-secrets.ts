import { AppError } from '#contract/errors.ts';
import { newId } from '../base/ids.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import type {
  ChatMessage,
  ChatModel,
  InvalidToolCall,
  ModelProgress,
  ModelReply,
  ModelRequest,
  SendOptions,
  ToolCall,
} from './types.ts';

/**
 * Wraps `model` so that no secret that the app knows is sent to it, or accepted from it: not in its answer
 * or thinking, wherever the deltas are cut, nor in its calls or errors. The rest of the app sees, approves,
 * stores and runs only the cleaned version.
 */
export function withoutSecrets(model: ChatModel, secrets: KnownSecrets): ChatModel {
  return {
    ref: model.ref,
    profile: secrets.value(model.profile),
    get contextWindow() {
      return model.contextWindow;
    },
    send: async (request, options) => {
      const streamed = new CleanProgress(secrets, options.onProgress);
      try {
        const { signal } = options;
        const onProgress = streamed.take.bind(streamed);
        const reply = await model.send(cleanRequest(request, secrets), { signal, onProgress });
        return cleanReply(reply, secrets);
      } catch (error) {
        throw cleanError(error, secrets);
      } finally {
        streamed.end();
      }
    },
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

/** Cleans text and reasoning as two separate streams, because their deltas may alternate. */
class CleanProgress {
  readonly #onProgress: SendOptions['onProgress'];
  readonly #streams: Readonly<Record<'text' | 'reasoning', ReturnType<KnownSecrets['stream']>>>;

  constructor(secrets: KnownSecrets, onProgress: SendOptions['onProgress']) {
    this.#onProgress = onProgress;
    this.#streams = { text: secrets.stream(), reasoning: secrets.stream() };
  }

  take(progress: ModelProgress): void {
    switch (progress.kind) {
      case 'text':
      case 'reasoning': {
        const other = progress.kind === 'text' ? 'reasoning' : 'text';
        this.#emit(other, this.#streams[other].flushPrefix());
        this.#emit(progress.kind, this.#streams[progress.kind].push(progress.text));
        break;
      }
      case 'waiting':
      case 'retrying':
        this.#onProgress(progress);
        break;
    }
  }

  end(): void {
    for (const kind of ['reasoning', 'text'] as const) this.#emit(kind, this.#streams[kind].end());
  }

  #emit(kind: 'text' | 'reasoning', text: string): void {
    if (text !== '') this.#onProgress({ kind, text });
  }
}

function cleanRequest(request: ModelRequest, secrets: KnownSecrets): ModelRequest {
  const { messages, ephemeralMessage } = request;
  const ephemeral =
    ephemeralMessage === undefined ? {} : { ephemeralMessage: secrets.value(ephemeralMessage) };
  const clean = messages.map((message) => cleanMessage(message, secrets));
  return { ...request, messages: clean, ...ephemeral };
}

/** The bytes of pictures are left out: as text they mean nothing, and they are a megabyte each. */
function cleanMessage(message: ChatMessage, secrets: KnownSecrets): ChatMessage {
  if (message.role !== 'user' || message.images === undefined) return secrets.value(message);
  const { images, ...text } = message;
  const clean = secrets.value(text);
  return clean === text ? message : { ...clean, images };
}

function cleanReply(reply: ModelReply, secrets: KnownSecrets): ModelReply {
  return {
    ...reply,
    content: secrets.text(reply.content),
    reasoning: secrets.text(reply.reasoning),
    toolCalls: reply.toolCalls.map((call) => cleanCall(call, secrets)),
    invalidToolCalls: reply.invalidToolCalls.map((call) => cleanCall(call, secrets)),
  };
}

/** An id that contained a secret is replaced by a new one: cleaned ids could be equal. */
function cleanCall<Call extends ToolCall | InvalidToolCall>(
  call: Call,
  secrets: KnownSecrets,
): Call {
  const clean = secrets.value(call);
  return clean.id === call.id ? clean : { ...clean, id: newId('call') };
}

function cleanError(error: unknown, secrets: KnownSecrets): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, cause } = error;
  const message = secrets.text(error.message);
  const details = secrets.value(error.details);
  if (message === error.message && details === error.details) return error;
  return new AppError(code, message, { details, cause });
}
