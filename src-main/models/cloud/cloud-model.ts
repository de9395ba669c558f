import type { AIMessageChunk, UsageMetadata } from '@langchain/core/messages';
import type { ChatGenerationChunk } from '@langchain/core/outputs';
import type { ModelRef } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { inPieces } from '../../base/in-pieces.ts';
import type { AnswerBuilder } from '../answer-builder.ts';
import { type Answer, converse, requireCapabilities, usageOf } from '../converse.ts';
import { isRecord, parseJson } from '../json-text.ts';
import { CallAssembler } from '../openai/call-assembler.ts';
import {
  type OpenAiErrorContext,
  openAiError,
  readOpenAiRefusal,
} from '../openai/openai-errors.ts';
import { type Fields, type FixMemory, sendFixed } from '../parameter-fixes.ts';
import { knownVision } from '../pictures/known-vision.ts';
import { comparePrefix, type WrittenRequest } from '../request-composer.ts';
import { brokenStream, notAModelServer } from '../server-errors.ts';
import { type HttpAnswer, readText } from '../transport/http-stream.ts';
import type { ServerConnection } from '../transport/server-connection.ts';
import type {
  ChatMessage,
  ChatModel,
  ModelFacts,
  ModelReply,
  ModelRequest,
  SendOptions,
} from '../types.ts';
import { HeldFetch } from './held-fetch.ts';
import { StreamGuard, type WireReader } from './stream-guard.ts';

/** A class of LangChain, set up for one model, and what we read beside it. */
export interface CloudProtocol {
  /** Below the base address. */
  readonly path: string;
  /** The field of the body that holds the messages. */
  readonly messagesKey: 'input' | 'messages';
  /** What the class knows of the model. */
  readonly facts: Pick<ModelFacts, 'trainedContext' | 'thinking' | 'vision'>;
  /**
   * Starts a request with an instance of its own, because aborting one request of a shared instance can end
   * others. The instance hands what it composes to `fetch`, and reads the answer from there.
   */
  start(request: ModelRequest, fetch: typeof globalThis.fetch): AsyncGenerator<ChatGenerationChunk>;
  readWire(): WireReader;
}

export interface CloudModelOptions {
  readonly ref: ModelRef;
  readonly connection: ServerConnection;
  readonly protocol: CloudProtocol;
  /** The user's setting, or what is known of the model. */
  readonly contextWindow: number | null;
  readonly keyHint: string;
  readonly fixes: FixMemory;
}

const ERROR_TEXT_BYTES = 64 * 1024;

/**
 * A cloud model behind LangChain's class for it. The class writes the request and reads the answer; the
 * connection, its limits, the retry, the errors, the end of the answer and the calls in it are ours, as they
 * are for every other model (`docs/decisions/0023-cloud-clients.md`).
 */
export class CloudModel implements ChatModel {
  readonly ref: ModelRef;
  readonly profile: ModelFacts;
  readonly contextWindow: number | null;
  readonly #options: CloudModelOptions;
  #previous: WrittenRequest | null = null;

  constructor(options: CloudModelOptions) {
    const { ref, contextWindow, protocol } = options;
    this.ref = ref;
    this.contextWindow = contextWindow;
    const vision = knownVision(ref) ?? protocol.facts.vision;
    this.profile = { ...protocol.facts, vision, tools: true, cloud: true };
    this.#options = options;
  }

  async send(request: ModelRequest, options: SendOptions): Promise<ModelReply> {
    options.signal.throwIfAborted();
    requireCapabilities(this.ref.name, this.profile, request);
    const { connection, protocol } = this.#options;
    const held = new HeldFetch();
    const chunks = protocol.start(withEphemeral(request), held.fetch);
    const first = chunks.next();
    // If this fails before it asks, the request is faulty; later failures are read below.
    const failed = first.then(
      () => new Error('The class answered without a request.'),
      (error: unknown) => error,
    );
    try {
      const written = await Promise.race([held.body, failed]);
      if (typeof written !== 'string') throw written;
      return await sendFixed(this.#fieldsOf(written, request), {
        memory: this.#options.fixes,
        attempt: async (fields) => {
          const { body, prefix } = this.#compose(fields, request);
          const answer = await converse(
            {
              connection,
              path: protocol.path,
              body,
              request,
              read: (http, builder) => this.#read(http, builder, { held, chunks, first }),
            },
            options,
          );
          return { ...answer, requestBytes: body.length, prefix };
        },
        onRetry: (reason) => options.onProgress({ kind: 'retrying', attempt: 1, reason }),
      });
    } finally {
      held.giveUp();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#options.connection.close();
  }

  get #context(): OpenAiErrorContext {
    const { connection, keyHint } = this.#options;
    const { identity: server, secrets } = connection;
    return { model: this.ref.name, server, secrets, keyHint };
  }

  /** What the class has composed. */
  #fieldsOf(written: string, request: ModelRequest): Fields {
    const { messagesKey } = this.#options.protocol;
    const fields = parseJson(written);
    if (!isRecord(fields) || !Array.isArray(fields[messagesKey])) {
      throw new Error(`The class composed a request without ${messagesKey}.`);
    }
    requireAllTools(fields.tools, request, this.ref.name);
    return fields;
  }

  /** The body to send, and what of it the previous request had as well. */
  #compose(fields: Fields, request: ModelRequest): { body: Buffer; prefix: ModelReply['prefix'] } {
    const { messagesKey } = this.#options.protocol;
    const { [messagesKey]: messages, ...rest } = fields;
    const head = `${JSON.stringify(rest).slice(0, -1)},"${messagesKey}":[`;
    const all = (messages as unknown[]).map((message) => JSON.stringify(message));
    const now = { head, messages: request.ephemeralMessage === undefined ? all : all.slice(0, -1) };
    const prefix = comparePrefix(this.#previous, now);
    this.#previous = now;
    // The messages come last, whatever the class thinks: clouds do not care, and a cache is kept by its prefix.
    return { body: Buffer.from(`${head}${all.join(',')}]}`, 'utf8'), prefix };
  }

  async #read(
    http: HttpAnswer,
    builder: AnswerBuilder,
    {
      held,
      chunks,
      first,
    }: {
      held: HeldFetch;
      chunks: AsyncGenerator<ChatGenerationChunk>;
      first: Promise<IteratorResult<ChatGenerationChunk>>;
    },
  ): Promise<Answer> {
    const context = this.#context;
    if (http.status !== 200) {
      const body = await readText(http, ERROR_TEXT_BYTES);
      throw openAiError(readOpenAiRefusal(http.status, body), context);
    }
    if (http.contentType === 'text/html')
      throw notAModelServer(context.server, 'it sent a web page');
    const wire = this.#options.protocol.readWire();
    const guard = new StreamGuard(http, { context, reader: wire });
    held.answer(guard.events());
    const reader = new ChunkReader(builder);
    try {
      for (let next = await first; next.done !== true; next = await chunks.next()) {
        await reader.take(next.value.message as AIMessageChunk);
      }
    } catch (error) {
      if (error instanceof AppError) throw error;
      // Otherwise every event was JSON, so its fields are not those of the protocol.
      if (guard.failure === null) {
        const { code, message, details } = brokenStream(
          context.server,
          'it contains an unexpected event',
        );
        throw new AppError(code, message, { details, cause: error });
      }
    }
    const finish = guard.finish();
    reader.addCalls(wire, { model: `${this.ref.provider}:${this.ref.name}`, context });
    return {
      ...builder.build(finish),
      finish,
      usage: usageOf(http, {
        promptTokens: reader.promptTokens,
        completionTokens: reader.outputTokens,
      }),
    };
  }
}

/** Collects an answer from LangChain's chunks: raw texts only, never what it has parsed or repaired. */
class ChunkReader {
  readonly #builder: AnswerBuilder;
  readonly #calls = new CallAssembler();
  promptTokens: number | null = null;
  outputTokens: number | null = null;

  constructor(builder: AnswerBuilder) {
    this.#builder = builder;
  }

  async take(chunk: AIMessageChunk): Promise<void> {
    if (typeof chunk.content === 'string') await this.#text(chunk.content);
    else for (const block of chunk.content) await this.#block(block as Record<string, unknown>);
    if (typeof chunk.additional_kwargs.refusal === 'string') {
      await this.#text(chunk.additional_kwargs.refusal);
    }
    for (const { index, id, name, args } of chunk.tool_call_chunks ?? []) {
      this.#calls.add({ index, id, function: { name, arguments: args } });
      this.#builder.watchArguments(args ?? '');
    }
    // A later chunk may have one of the two as 0.
    const usage = chunk.usage_metadata as UsageMetadata | undefined;
    this.promptTokens = usage?.input_tokens || this.promptTokens;
    this.outputTokens = usage?.output_tokens || this.outputTokens;
  }

  /** Adds the calls, the first of them with what the model wants back. */
  addCalls(
    wire: WireReader,
    { model, context }: { model: string; context: OpenAiErrorContext },
  ): void {
    const final = wire.finalArguments();
    const value = wire.replay();
    for (const [at, call] of this.#calls.calls().entries()) {
      const whole = final.get(call.id);
      if (whole !== undefined && whole !== call.arguments) {
        throw brokenStream(context.server, 'a call in it was not sent as a whole');
      }
      const replay = at === 0 && value !== undefined ? { model, value } : undefined;
      this.#builder.call({ id: call.id, name: call.name, arguments: call.arguments, replay });
    }
  }

  async #block(block: Readonly<Record<string, unknown>>): Promise<void> {
    const { type, text, thinking, reasoning } = block;
    if (type === 'text' && typeof text === 'string') await this.#text(text);
    const thought = typeof thinking === 'string' ? thinking : reasoning;
    if (typeof thought === 'string') {
      const key = typeof thinking === 'string' ? 'thinking' : 'reasoning';
      await inPieces(thought, (piece) => this.#builder.reasoning(piece, key));
    }
  }

  #text(text: string): Promise<void> {
    return inPieces(text, (piece) => this.#builder.text(piece));
  }
}

/** The message that follows the others in this request only, as the last of them. */
function withEphemeral(request: ModelRequest): ModelRequest {
  const { ephemeralMessage, messages } = request;
  const last: readonly ChatMessage[] = ephemeralMessage === undefined ? [] : [ephemeralMessage];
  return { ...request, messages: [...messages, ...last] };
}

/** LangChain leaves out tools whose schema it thinks a cloud would refuse, and says nothing. */
function requireAllTools(sent: unknown, { tools }: ModelRequest, model: string): void {
  const names = new Set((Array.isArray(sent) ? sent : []).map((tool: unknown) => nameOf(tool)));
  const missing = tools.filter(({ name }) => !names.has(name)).map(({ name }) => name);
  if (missing.length === 0) return;
  throw new AppError(
    'MODEL_BAD_REQUEST',
    `${model} cannot be given these tools, because their arguments are a choice of several forms: ${missing.join(', ')}. Turn them off, or choose another model.`,
    { details: { model, tools: missing } },
  );
}

function nameOf(tool: unknown): unknown {
  return isRecord(tool) ? tool.name : undefined;
}
