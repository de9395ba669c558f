import { z } from 'zod';
import { isRecord, parseJson } from './json-text.ts';
import type { ChatMessage, ChatModel, JsonSchema, ModelReply, SendOptions } from './types.ts';

export interface StructuredRequest<Value> {
  readonly messages: readonly ChatMessage[];
  readonly schema: z.ZodType<Value>;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
}

export interface StructuredOptions extends SendOptions {
  /** Called for each request that was answered, so that what it cost can be told. */
  readonly onReply?: (reply: ModelReply) => void;
}

export type StructuredAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  /** `problem` is what did not fit, in words; `text` is the last answer. */
  | { readonly ok: false; readonly problem: string; readonly text: string };

/** How often a model is told what is wrong with its answer. */
const REPAIRS = 1;

/**
 * Asks for a JSON value. The schema goes along for servers that can hold a model to it; what comes back
 * is checked all the same, taken out of fences and talk, and asked for once more with what is wrong with
 * it. Throws only what `send` throws: an answer that does not fit is a result.
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
    const reply = await model.send({ messages: asked, tools: [], format, ...limits }, options);
    onReply?.(reply);
    const found = readStructured(reply.content, schema);
    if (found.ok || repairs === REPAIRS) return found;
    asked.push(
      { role: 'assistant', content: reply.content === '' ? '(empty)' : reply.content },
      { role: 'user', content: `That does not fit: ${found.problem} Answer with the JSON alone.` },
    );
  }
}

/** The JSON value in an answer, checked. */
export function readStructured<Value>(
  text: string,
  schema: z.ZodType<Value>,
): StructuredAnswer<Value> {
  const value = findJson(text);
  if (value === undefined) return { ok: false, problem: 'There is no JSON in it.', text };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const problem = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length === 0 ? '' : `${path.join('.')}: `}${message}.`)
    .join(' ');
  return { ok: false, problem, text };
}

/** The whole text, what stands in a fence, or from the first bracket to the last that fits it. */
function findJson(text: string): unknown {
  const trimmed = text.trim();
  const fenced = /```(?:json)?\s*([\s\S]*?)```/i.exec(trimmed)?.[1];
  for (const candidate of [
    trimmed,
    fenced,
    between(trimmed, '{', '}'),
    between(trimmed, '[', ']'),
  ]) {
    const value = candidate === undefined ? undefined : parseJson(candidate);
    if (isRecord(value) || Array.isArray(value)) return value;
  }
  return undefined;
}

function between(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open);
  const end = text.lastIndexOf(close);
  return start < 0 || end <= start ? undefined : text.slice(start, end + 1);
}
