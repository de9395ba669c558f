import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { isRecord, parseJson } from './json-text.ts';
import type { ChatMessage, ChatModel, JsonSchema, ModelReply, SendOptions } from './types.ts';

export interface StructuredRequest<Value> {
  readonly messages: readonly ChatMessage[];
  readonly schema: z.ZodType<Value>;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
}

export interface StructuredOptions extends SendOptions {
  /** Called for each answered request, so that its cost can be reported. */
  readonly onReply?: (reply: ModelReply) => void;
}

export type StructuredAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  /** `problem` says what does not fit the schema; `text` is the last answer. */
  | { readonly ok: false; readonly problem: string; readonly text: string };

/** A longer answer is not searched for JSON, which takes several passes. */
const MAX_ANSWER_CHARS = 400_000;

/** How often the model is asked to correct its answer. */
const REPAIRS = 1;

/**
 * Asks for a JSON value. The request includes the schema, for servers that can enforce it. The answer is
 * validated in any case; JSON is also found in fences and among other text. If it does not fit, the model
 * is asked again, with the problem. Throws only what `send` throws: a wrong answer is a result, and so is one that
 * was stopped because it repeated itself.
 */
export async function askStructured<Value>(
  model: ChatModel,
  { messages, schema, ...limits }: StructuredRequest<Value>,
  { onReply, ...options }: StructuredOptions,
): Promise<StructuredAnswer<Value>> {
  const format = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
  const asked = [...messages];
  for (let repairs = 0; ; repairs += 1) {
    options.signal.throwIfAborted();
    const request = { messages: asked, tools: [], format, ...limits };
    const reply = await model.send(request, options).catch(nullIfStuck);
    if (reply !== null) onReply?.(reply);
    const found = reply === null ? STUCK : readStructured(reply.content, schema);
    if (found.ok || repairs === REPAIRS) return found;
    const said = reply?.content ?? '';
    asked.push(
      { role: 'assistant', content: said === '' ? '(empty)' : said },
      { role: 'user', content: `That does not fit: ${found.problem} Answer with the JSON alone.` },
    );
  }
}

const STUCK = { ok: false, problem: 'It says the same over and over.', text: '' } as const;

function nullIfStuck(error: unknown): null {
  if (error instanceof AppError && error.code === 'MODEL_OUTPUT_INCOMPLETE') return null;
  throw error;
}

/** The JSON value in an answer, checked. */
export function readStructured<Value>(
  text: string,
  schema: z.ZodType<Value>,
): StructuredAnswer<Value> {
  if (text.length > MAX_ANSWER_CHARS) {
    return { ok: false, problem: `It is longer than ${MAX_ANSWER_CHARS} characters.`, text };
  }
  let parsed: z.ZodSafeParseError<Value> | null = null;
  for (const value of jsonValues(text)) {
    const tried = safeParse(schema, value);
    if (tried.success) return { ok: true, value: tried.data };
    // The reported problem is that of the first value, which is usually the intended answer.
    parsed ??= tried;
  }
  if (parsed === null) return { ok: false, problem: 'There is no JSON in it.', text };
  const problem = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length === 0 ? '' : `${path.join('.')}: `}${message}.`)
    .join(' ');
  return { ok: false, problem, text };
}

/** JSON values in a text, the likeliest first: the whole text, fenced blocks, then values between words. */
function* jsonValues(text: string): Generator<unknown> {
  const trimmed = text.trim();
  const seen = new Set<string>();
  for (const candidate of candidates(trimmed)) {
    if (seen.has(candidate)) continue;
    seen.add(candidate);
    const value = parseJson(candidate);
    if (isRecord(value) || Array.isArray(value)) yield value;
  }
}

/** Limits for values between words: how many are tried (models may show the format first), and their length. */
const MAX_INLINE_VALUES = 20;
const MAX_VALUE_CHARS = 256 * 1024;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d];

function* candidates(text: string): Generator<string> {
  yield text;
  for (const [, fenced = ''] of text.matchAll(/```(?:json)?([\s\S]*?)```/gi)) yield fenced.trim();
  yield between(text, '{', '}');
  yield between(text, '[', ']');
  yield* inlineValues(text);
}

/** From each bracket to the one that closes it. After a bracket that is never closed, the search continues. */
function* inlineValues(text: string): Generator<string> {
  let at = text.search(/[{[]/);
  for (let found = 0; at >= 0 && found < MAX_INLINE_VALUES; found += 1) {
    const end = closingOf(text, at);
    if (end !== null) yield text.slice(at, end);
    const from = end ?? at + 1;
    const next = text.slice(from).search(/[{[]/);
    at = next < 0 ? -1 : from + next;
  }
}

/** The index after the bracket that closes the one at `start`; null if there is none. */
function closingOf(text: string, start: number): number | null {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString && code === BACKSLASH) at += 1;
    else if (code === QUOTE) inString = !inString;
    else if (!inString && (code === BRACE || code === BRACKET)) depth += 1;
    else if (!inString && (code === BRACE_END || code === BRACKET_END)) depth -= 1;
    if (depth === 0) return at + 1;
    if (at - start > MAX_VALUE_CHARS) return null;
  }
  return null;
}

function between(text: string, open: string, close: string): string {
  const start = text.indexOf(open);
  const end = text.lastIndexOf(close);
  return start < 0 || end <= start ? '' : text.slice(start, end + 1);
}
