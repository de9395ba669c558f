import { inPieces } from '../../base/in-pieces.ts';
import { nestsTooDeeply } from '../../base/outside-json.ts';
import type { AnswerBuilder } from '../answer-builder.ts';
import { MAX_CALLS, tooLongAnswer } from '../answer-limits.ts';
import { type Answer, usageOf } from '../converse.ts';
import { isRecord, parseJson } from '../json-text.ts';
import { brokenStream, NESTED, notAModelServer } from '../server-errors.ts';
import { type HttpAnswer, readText } from '../transport/http-stream.ts';
import { LineDecoder } from '../transport/line-decoder.ts';
import { type ServerSentEvent, SseDecoder } from '../transport/sse-decoder.ts';
import { STREAM_LIMITS } from '../transport/stream-watch.ts';
import { fromSystemError } from '../transport/transport-failure.ts';
import { unreadableCall } from '../unreadable-call.ts';
import { CallAssembler } from './call-assembler.ts';
import {
  type OpenAiErrorContext,
  type OpenAiRefusal,
  openAiError,
  readOpenAiRefusal,
} from './openai-errors.ts';
import {
  Completion,
  contentText,
  type Delta,
  type OpenAiReplay,
  partsThinking,
  REASONING_KEYS,
  type ReasoningKey,
} from './openai-wire.ts';

const ERROR_TEXT_BYTES = 64 * 1024;

type Choice = NonNullable<Completion['choices']>[number];

/** What an answer reveals about the server and the next request needs. */
export interface StreamFindings {
  reasoningKey: ReasoningKey | null;
  /** The model as `provider:name`. */
  readonly modelKey: string;
}

/**
 * Reads the answer of `/chat/completions`, streamed or whole. It is finished only with a
 * `finish_reason`: an end without one, an error inside the stream or a broken connection throws.
 */
export async function readOpenAiAnswer(
  answer: HttpAnswer,
  builder: AnswerBuilder,
  options: { context: OpenAiErrorContext; findings: StreamFindings },
): Promise<Answer> {
  const { context } = options;
  if (answer.status !== 200) {
    const body = await readText(answer, ERROR_TEXT_BYTES);
    return refused(readOpenAiRefusal(answer.status, body), builder, { context, answer });
  }
  if (answer.contentType === 'text/html')
    throw notAModelServer(context.server, 'it sent a web page');
  const reader = new CompletionReader(answer, builder, options);
  try {
    await readEvents(answer, reader);
  } catch (error) {
    // If the connection breaks after the finish reason, the answer is complete all the same.
    if (!reader.hasFinishReason || fromSystemError(error) === null) throw error;
  }
  return reader.finish();
}

async function readEvents(answer: HttpAnswer, reader: CompletionReader): Promise<void> {
  const lines = new LineDecoder(STREAM_LIMITS.maxLineBytes);
  for await (const bytes of answer.chunks) {
    for (const line of lines.push(bytes)) {
      answer.watch.alive();
      if (await reader.takeLine(line)) return;
    }
  }
  if (!(await reader.takeLine(lines.end()))) await reader.takeEnd();
}

class CompletionReader {
  readonly #answer: HttpAnswer;
  readonly #builder: AnswerBuilder;
  readonly #context: OpenAiErrorContext;
  readonly #findings: StreamFindings;
  readonly #calls = new CallAssembler();
  /** Blocks of thinking as OpenRouter sends them, put together. */
  readonly #details: Record<string, unknown>[] = [];
  #finishReason = '';
  #usage: Completion['usage'] = null;
  /** The index of the choice that is read; null until there is one. */
  #choice: number | null = null;
  #hasReasoningKey = false;
  /** An error inside the stream. */
  #refusal: OpenAiRefusal | null = null;
  #isFirst = true;
  /** The lines of an answer that is one JSON value; null for a stream of events. */
  #whole: string[] | null = null;
  readonly #events = new SseDecoder();

  constructor(
    answer: HttpAnswer,
    builder: AnswerBuilder,
    options: { context: OpenAiErrorContext; findings: StreamFindings },
  ) {
    this.#answer = answer;
    this.#builder = builder;
    this.#context = options.context;
    this.#findings = options.findings;
  }

  get hasFinishReason(): boolean {
    return this.#finishReason !== '';
  }

  /** Reads a line; true if it was the last one. */
  async takeLine(line: string): Promise<boolean> {
    if (this.#isFirst && this.#whole === null) this.#detectFormat(line);
    if (this.#whole !== null) {
      this.#whole.push(line);
      return false;
    }
    const event = this.#events.push(line);
    return event !== null && (await this.#takeEvent(event));
  }

  /** Reads what is still buffered at the end of the stream. */
  async takeEnd(): Promise<void> {
    if (this.#whole !== null) await this.#takeWhole(this.#whole.join('\n'));
    const event = this.#events.end();
    if (event !== null) await this.#takeEvent(event);
  }

  /** The start of a stream shows its format: events, plain JSON, or a web page. */
  #detectFormat(line: string): void {
    const start = line.trimStart();
    if (start.startsWith('<')) throw notAModelServer(this.#context.server, 'it sent a web page');
    if (start.startsWith('{') || start.startsWith('[')) this.#whole = [];
  }

  async #takeEvent(event: ServerSentEvent): Promise<boolean> {
    if (event.data === '[DONE]') return true;
    const value = parseJson(event.data);
    if (event.name === 'error' || isErrorBody(value)) {
      this.#refusal = readOpenAiRefusal('line', event.data);
      return true;
    }
    if (nestsTooDeeply(event.data)) throw brokenStream(this.#context.server, NESTED);
    if (!isRecord(value)) {
      throw this.#isFirst
        ? notAModelServer(this.#context.server, 'it did not send a chat answer')
        : brokenStream(this.#context.server, 'it contains an unexpected line');
    }
    await this.#takeCompletion(value);
    return false;
  }

  /** An answer or an error in one piece, although a stream was requested. */
  async #takeWhole(text: string): Promise<void> {
    const value = parseJson(text);
    if (isErrorBody(value)) {
      this.#refusal = readOpenAiRefusal('line', text);
      return;
    }
    if (nestsTooDeeply(text)) throw brokenStream(this.#context.server, NESTED);
    if (!isRecord(value) || !Array.isArray(value.choices)) {
      throw notAModelServer(this.#context.server, 'it did not send a chat answer');
    }
    await this.#takeCompletion(value);
  }

  /** The finished answer. Throws if the server did not say that it is finished. */
  finish(): Answer {
    const { server } = this.#context;
    if (this.#refusal !== null) {
      return refused(this.#refusal, this.#builder, {
        context: this.#context,
        answer: this.#answer,
      });
    }
    if (!this.hasFinishReason) {
      const why = this.#isFirst ? 'it is empty' : 'the finish reason is missing, so it may be cut';
      throw brokenStream(server, why);
    }
    const finish = finishOf(this.#finishReason);
    if (finish === null) {
      throw brokenStream(server, `the server stopped it (${this.#finishReason})`);
    }
    const { modelKey } = this.#findings;
    for (const [at, { extraContent, ...call }] of this.#calls.calls().entries()) {
      const value: OpenAiReplay = {
        ...(extraContent !== undefined && { extra_content: extraContent }),
        ...(at === 0 && this.#details.length > 0 && { reasoning_details: this.#details }),
      };
      const replay = Object.keys(value).length > 0 ? { model: modelKey, value } : undefined;
      this.#builder.call({ ...call, replay });
    }
    return {
      ...this.#builder.build(finish),
      finish,
      usage: usageOf(this.#answer, {
        promptTokens: this.#usage?.prompt_tokens,
        completionTokens: this.#usage?.completion_tokens,
      }),
    };
  }

  async #takeCompletion(value: Record<string, unknown>): Promise<void> {
    this.#isFirst = false;
    const completion = Completion.parse(value);
    if (completion.usage) this.#usage = completion.usage;
    const choice = this.#choose(completion.choices ?? []);
    if (choice === undefined) return;
    const delta = choice.delta ?? choice.message;
    if (delta) await this.#takeDelta(delta);
    if (choice.finish_reason && !this.hasFinishReason) {
      this.#finishReason = choice.finish_reason;
      this.#answer.watch.closing();
    }
  }

  /** Of several answers to one request, the one that comes first; some servers number none. */
  #choose(choices: NonNullable<Completion['choices']>): Choice | undefined {
    const indexOf = ({ index }: Choice): number => index ?? 0;
    this.#choice ??= choices.length === 0 ? null : Math.min(...choices.map(indexOf));
    return choices.find((choice) => indexOf(choice) === this.#choice);
  }

  async #takeDelta(delta: Delta): Promise<void> {
    // Some servers send the same thinking under two keys, or in blocks besides.
    const key = REASONING_KEYS.find((one) => thinkingIn(delta, one) !== '');
    if (key !== undefined) {
      this.#findings.reasoningKey = key;
      this.#hasReasoningKey = true;
    }
    const blocks = this.#hasReasoningKey ? [] : delta.reasoning_details;
    const thinking = key === undefined ? partsThinking(blocks) : thinkingIn(delta, key);
    await inPieces(thinking, (piece) => this.#builder.reasoning(piece, key ?? 'reasoning'));
    await inPieces(contentText(delta.content), (piece) => this.#builder.text(piece));
    for (const detail of delta.reasoning_details ?? []) addDetail(this.#details, detail);
    for (const fragment of delta.tool_calls ?? []) {
      this.#calls.add(fragment);
      const piece = fragment.function?.arguments;
      if (typeof piece === 'string') this.#builder.watchArguments(piece);
    }
    if (this.#builder.hasStarted || (delta.tool_calls?.length ?? 0) > 0)
      this.#answer.watch.answering();
  }
}

/** Throws the refusal, unless it is only about a call that the server could not parse: the model learns of it. */
function refused(
  refusal: OpenAiRefusal,
  builder: AnswerBuilder,
  { context, answer }: { context: OpenAiErrorContext; answer: HttpAnswer },
): Answer {
  const isFailure = refusal.where === 'line' || refusal.where >= 500;
  const call = isFailure && builder.takesCalls ? unreadableCall(refusal.text) : null;
  if (call === null) throw openAiError(refusal, context);
  builder.invalidCall(call);
  return {
    ...builder.build('stop'),
    finish: 'stop',
    usage: usageOf(answer, { promptTokens: null, completionTokens: null }),
  };
}

function thinkingIn(delta: Delta, key: ReasoningKey): string {
  return key === 'content' ? partsThinking(delta.content) : (delta[key] ?? '');
}

/** Adds a piece to the block that it continues: one of the same type and index. */
function addDetail(
  details: Record<string, unknown>[],
  piece: Readonly<Record<string, unknown>>,
): void {
  const last = details.at(-1);
  if (last === undefined || last.type !== piece.type || last.index !== piece.index) {
    if (details.length === MAX_CALLS) throw tooLongAnswer();
    details.push({ ...piece });
    return;
  }
  for (const [key, value] of Object.entries(piece)) {
    const before = last[key];
    const isText = ['text', 'summary', 'data'].includes(key) && typeof before === 'string';
    if (value !== null) last[key] = isText ? `${before}${String(value)}` : value;
  }
}

function isErrorBody(value: unknown): boolean {
  const body: unknown = Array.isArray(value) ? value[0] : value;
  if (!isRecord(body)) return false;
  return (body.error !== undefined && body.error !== null) || body.object === 'error';
}

/** How the answer ended; null if the server stopped it for a reason of its own. */
function finishOf(reason: string): Answer['finish'] | null {
  switch (reason.toLowerCase()) {
    case 'length':
    case 'max_tokens':
    case 'model_length':
      return 'length';
    case 'error':
    case 'abort':
    case 'cancelled':
    case 'content_filter':
    case 'safety':
      return null;
    default:
      return 'stop';
  }
}
