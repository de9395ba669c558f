import { canonicalJson } from '../base/canonical-json.ts';
import { newId } from '../base/ids.ts';
import { parseOutsideJson } from '../base/outside-json.ts';
import { LONGEST_ANSWER, MOST_CALLS, tooLongAnswer, tooManyCalls } from './answer-limits.ts';
import { AnswerTextReader } from './answer-text.ts';
import { isRecord } from './json-text.ts';
import type {
  ChatMessage,
  InvalidToolCall,
  ModelProgress,
  ModelReply,
  ModelRequest,
  ToolCall,
} from './types.ts';

/** A call as a server sent it: complete, but not yet checked. */
export interface ReceivedCall {
  readonly id: string;
  readonly name: string;
  /** A string is strict JSON or the call is invalid: it is never repaired. */
  readonly arguments: unknown;
}

export type AnswerContent = Pick<
  ModelReply,
  'content' | 'reasoning' | 'toolCalls' | 'invalidToolCalls' | 'toolMeans' | 'reasoningKey'
>;

/** Puts an answer together as it streams in. Both protocols and the scripted model use it. */
export class AnswerBuilder {
  readonly #onProgress: (progress: ModelProgress) => void;
  readonly #text: AnswerTextReader;
  readonly #isExplained: boolean;
  readonly #history: readonly ChatMessage[];
  /** Looked up once there is a call: most answers of a long conversation have few, and it has many. */
  #takenIds: Set<string> | null = null;
  readonly #toolCalls: ToolCall[] = [];
  readonly #invalidToolCalls: InvalidToolCall[] = [];
  #chars = 0;
  #reasoning = '';
  #reasoningKey: string | null = null;

  /** The calls of earlier answers hold the ids that a new one must not have: some servers count anew. */
  constructor(request: ModelRequest, onProgress: (progress: ModelProgress) => void) {
    this.#onProgress = onProgress;
    this.#isExplained = request.explainedTools !== undefined;
    // An answer that is constrained to a schema is JSON because it was asked for.
    const tools = request.format === undefined ? (request.explainedTools ?? request.tools) : [];
    this.#text = new AnswerTextReader(tools, onProgress);
    this.#history = request.messages;
  }

  /** Whether anything of the answer has come. */
  get begun(): boolean {
    return (
      this.#text.begun ||
      this.#reasoning !== '' ||
      this.#toolCalls.length + this.#invalidToolCalls.length > 0
    );
  }

  /** The text of an answer that broke off. Nothing is taken in afterwards. */
  breakOff(): string {
    return this.#text.end(true).content;
  }

  /** Throws `MODEL_STREAM_BROKEN` where an answer never ends. */
  text(delta: string): void {
    this.#grow(delta);
    this.#text.push(delta);
  }

  /** `key` is what the protocol calls it. */
  reasoning(delta: string, key: string): void {
    if (delta === '') return;
    this.#grow(delta);
    this.#reasoningKey = key;
    this.#reasoning += delta;
    this.#onProgress({ kind: 'reasoning', text: delta });
  }

  /**
   * Takes a call in if its arguments are an object or the strict JSON of one; else as invalid.
   * Returns the id it has from now on.
   */
  call(received: ReceivedCall): string {
    if (this.#toolCalls.length + this.#invalidToolCalls.length === MOST_CALLS) throw tooManyCalls();
    const id = this.#freeId(received.id);
    const raw = received.arguments;
    this.#grow(typeof raw === 'string' ? raw : (JSON.stringify(raw) ?? ''));
    const args = judgeArguments(received.name, raw);
    if (typeof args === 'string') {
      const rawArguments = typeof raw === 'string' ? raw : JSON.stringify(raw ?? {});
      this.#invalidToolCalls.push({ id, name: received.name, rawArguments, problem: args });
    } else {
      this.#toolCalls.push({ id, name: received.name, arguments: args });
    }
    return id;
  }

  /** A call that the server itself could not read. */
  invalidCall(call: Omit<InvalidToolCall, 'id'>): void {
    this.#invalidToolCalls.push({ id: this.#freeId(''), ...call });
  }

  /** What the answer holds; without any call when the output limit cut it. Called once. */
  build(finish: ModelReply['finish']): AnswerContent {
    const complete = finish === 'stop';
    const text = this.#text.end(!complete);
    const reasoning = [this.#reasoning, text.reasoning].filter((part) => part !== '').join('\n');
    const reasoningKey = this.#reasoningKey ?? (text.reasoning === '' ? null : 'tags');
    const answer = {
      content: text.content,
      reasoning,
      ...(reasoningKey === null ? {} : { reasoningKey }),
    };
    if (!complete) return { ...answer, toolCalls: [], invalidToolCalls: [] };
    const native = this.#toolCalls.length;
    // A server that reads calls may leave their text in as well.
    const made = new Set(this.#toolCalls.map(identityOf));
    const written = text.calls.filter((call) => !made.has(identityOf(call)));
    for (const call of written) this.#toolCalls.push({ ...call, id: this.#freeId(call.id) });
    for (const call of native > 0 ? [] : text.invalidCalls) {
      this.#invalidToolCalls.push({ ...call, id: this.#freeId(call.id) });
    }
    const means = native > 0 ? 'native' : this.#isExplained ? 'protocol' : 'text';
    return {
      ...answer,
      toolCalls: this.#toolCalls,
      invalidToolCalls: this.#invalidToolCalls,
      ...(this.#toolCalls.length > 0 ? { toolMeans: means } : {}),
    };
  }

  #grow({ length }: string): void {
    this.#chars += length;
    if (this.#chars > LONGEST_ANSWER) throw tooLongAnswer();
  }

  #freeId(wanted: string): string {
    this.#takenIds ??= idsOf(this.#history);
    const id = wanted === '' || this.#takenIds.has(wanted) ? newId('call') : wanted;
    this.#takenIds.add(id);
    return id;
  }
}

function idsOf(messages: readonly ChatMessage[]): Set<string> {
  const ids = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const call of message.toolCalls ?? []) ids.add(call.id);
  }
  return ids;
}

function identityOf({ name, arguments: given }: ToolCall): string {
  return canonicalJson([name, given]);
}

/** The arguments as an object, or what is wrong with the call, in words for the model. */
function judgeArguments(name: string, raw: unknown): Record<string, unknown> | string {
  if (name === '') return 'The call does not name a tool.';
  let value: unknown = raw ?? {};
  if (typeof raw === 'string') {
    try {
      // No text at all is how servers write "no arguments"; anything else is JSON as it stands.
      value = raw.trim() === '' ? {} : parseOutsideJson(raw);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return `The arguments are not valid JSON: ${why}`;
    }
  }
  return isRecord(value)
    ? value
    : `The arguments must be a JSON object, not ${describeType(value)}.`;
}

function describeType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
