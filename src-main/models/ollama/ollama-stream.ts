import { safeParse } from '#contract/safe-parse.ts';
import { inPieces } from '../../base/in-pieces.ts';
import { nestsTooDeeply } from '../../base/outside-json.ts';
import type { AnswerBuilder } from '../answer-builder.ts';
import { type Answer, usageOf } from '../converse.ts';
import { isRecord, parseJson } from '../json-text.ts';
import { brokenStream, NESTED, notAModelServer } from '../server-errors.ts';
import { type HttpAnswer, readText } from '../transport/http-stream.ts';
import { LineDecoder } from '../transport/line-decoder.ts';
import { STREAM_LIMITS } from '../transport/stream-watch.ts';
import { unreadableCall } from '../unreadable-call.ts';
import {
  type OllamaErrorContext,
  type OllamaRefusal,
  ollamaError,
  unwrapLlamaServer,
} from './ollama-errors.ts';
import { ChatChunk } from './ollama-wire.ts';

const ERROR_TEXT_BYTES = 64 * 1024;

/**
 * Reads the answer of `/api/chat`: one JSON object per line, complete only when a line says so. Any other
 * end throws. A call that Ollama's parser could not read is an error of the model: it becomes an invalid
 * call, so that the model learns of it.
 */
export async function readOllamaAnswer(
  answer: HttpAnswer,
  builder: AnswerBuilder,
  context: OllamaErrorContext,
): Promise<Answer> {
  if (answer.status !== 200) return refused(await readRefusal(answer), builder, context, answer);
  const lines = new LineDecoder(STREAM_LIMITS.maxLineBytes);
  let isFirst = true;
  const take = async (line: string): Promise<Answer | null> => {
    if (line === '') return null;
    answer.watch.alive();
    const chunk = parseChunk(line, { isFirst, answer, context });
    isFirst = false;
    return await takeChunk(chunk, builder, context, answer);
  };
  for await (const bytes of answer.chunks) {
    for (const line of lines.push(bytes)) {
      const finished = await take(line);
      if (finished !== null) return finished;
    }
  }
  const finished = await take(lines.end());
  if (finished !== null) return finished;
  throw brokenStream(
    context.server,
    isFirst ? 'it is empty' : 'the final message is missing, so it may be cut',
  );
}

async function takeChunk(
  chunk: ChatChunk,
  builder: AnswerBuilder,
  context: OllamaErrorContext,
  answer: HttpAnswer,
): Promise<Answer | null> {
  if (chunk.error !== undefined && chunk.error !== null) {
    return refused({ where: 'line', text: errorText(chunk.error) }, builder, context, answer);
  }
  await inPieces(chunk.message?.thinking ?? '', (piece) => builder.reasoning(piece, 'thinking'));
  await inPieces(chunk.message?.content ?? '', (piece) => builder.text(piece));
  for (const call of chunk.message?.tool_calls ?? []) {
    builder.call({
      id: call.id ?? '',
      name: call.function.name,
      arguments: call.function.arguments,
    });
  }
  if (builder.hasStarted) answer.watch.answering();
  if (chunk.done !== true) return null;
  answer.watch.closing();
  const finish = chunk.done_reason === 'length' ? 'length' : 'stop';
  return {
    ...builder.build(finish),
    finish,
    usage: usageOf(answer, {
      promptTokens: chunk.prompt_eval_count,
      completionTokens: chunk.eval_count,
      loadMs: chunk.load_duration == null ? null : chunk.load_duration / 1e6,
    }),
  };
}

/** Throws the refusal, unless it is only about a call that the server could not parse. */
function refused(
  refusal: OllamaRefusal,
  builder: AnswerBuilder,
  context: OllamaErrorContext,
  answer: HttpAnswer,
): Answer {
  const call = unreadableCall(unwrapLlamaServer(refusal.text).text);
  if (call === null) throw ollamaError(refusal, context);
  builder.invalidCall(call);
  return {
    ...builder.build('stop'),
    finish: 'stop',
    usage: usageOf(answer, { promptTokens: null, completionTokens: null }),
  };
}

function parseChunk(
  line: string,
  at: { isFirst: boolean; answer: HttpAnswer; context: OllamaErrorContext },
): ChatChunk {
  const value = parseJson(line);
  const chunk = safeParse(ChatChunk, value);
  const isChatChunk =
    chunk.success && isRecord(value) && ('message' in value || 'error' in value || 'done' in value);
  if (isChatChunk) return chunk.data;
  if (nestsTooDeeply(line)) throw brokenStream(at.context.server, NESTED);
  if (!at.isFirst) throw brokenStream(at.context.server, 'it contains an unexpected line');
  const isPage = at.answer.contentType === 'text/html' || line.startsWith('<');
  throw notAModelServer(
    at.context.server,
    isPage ? 'it sent a web page' : 'it did not send a chat answer',
  );
}

async function readRefusal(answer: HttpAnswer): Promise<OllamaRefusal> {
  const text = await readText(answer, ERROR_TEXT_BYTES);
  const body = parseJson(text);
  if (!isRecord(body) || body.error === undefined) return { where: answer.status, text: '' };
  const signinUrl = body.signin_url;
  return {
    where: answer.status,
    text: errorText(body.error),
    ...(typeof signinUrl === 'string' ? { signinUrl } : {}),
  };
}

function errorText(error: unknown): string {
  return typeof error === 'string' ? error : JSON.stringify({ error });
}
