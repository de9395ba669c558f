import { canonicalJson } from '../base/canonical-json.ts';
import { newId } from '../base/ids.ts';
import { parseOutsideJson } from '../base/outside-json.ts';
import { MAX_ANSWER_CHARS, MAX_CALLS, tooLongAnswer, tooManyCalls } from './answer-limits.ts';
import { AnswerTextReader } from './answer-text.ts';
import { isRecord, parseJson } from './json-text.ts';
import { RepetitionWatch } from './repetition-watch.ts';
import type {
  ChatMessage,
  InvalidToolCall,
  ModelProgress,
  ModelReply,
  ModelRequest,
  Replay,
  ToolCall,
} from './types.ts';

/** A call as a server sent it: complete, but not yet checked. */
export interface ReceivedCall {
  readonly id: string;
  readonly name: string;
  /** A string is strict JSON or the call is invalid: it is never repaired. */
  readonly arguments: unknown;
  readonly replay?: Replay | undefined;
}

export type AnswerContent = Pick<
  ModelReply,
  'content' | 'reasoning' | 'toolCalls' | 'invalidToolCalls' | 'toolMeans' | 'reasoningKey'
>;

/** Builds an answer as it streams in. Both protocols and the scripted model use it. */
export class AnswerBuilder {
  readonly #onProgress: (progress: ModelProgress) => void;
  readonly #text: AnswerTextReader;
  readonly #isExplained: boolean;
  readonly #hasFormat: boolean;
  readonly #takesCalls: boolean;
  readonly #history: readonly ChatMessage[];
  /** Ids of calls in the history. Collected on the first call, because most answers have none. */
  #usedIds: Set<string> | null = null;
  readonly #toolCalls: ToolCall[] = [];
  readonly #invalidToolCalls: InvalidToolCall[] = [];
  #chars = 0;
  #reasoning = '';
  #reasoningKey: string | null = null;
  readonly #watches = {
    text: new RepetitionWatch(),
    reasoning: new RepetitionWatch(),
    arguments: new RepetitionWatch(),
  };

  /** A new call never reuses an id from the history: some servers start counting again in each answer. */
  constructor(request: ModelRequest, onProgress: (progress: ModelProgress) => void) {
    this.#onProgress = onProgress;
    this.#isExplained = request.explainedTools !== undefined;
    this.#hasFormat = request.format !== undefined;
    // In an answer constrained to a schema, JSON is the answer and not a call.
    const tools = request.format === undefined ? (request.explainedTools ?? request.tools) : [];
    this.#takesCalls = tools.length > 0;
    this.#text = new AnswerTextReader(tools, onProgress);
    this.#history = request.messages;
  }

  /** Whether any part of the answer has arrived. */
  get hasStarted(): boolean {
    return (
      this.#text.hasStarted ||
      this.#reasoning !== '' ||
      this.#toolCalls.length + this.#invalidToolCalls.length > 0
    );
  }

  /** Whether the request offered tools. */
  get takesCalls(): boolean {
    return this.#takesCalls;
  }

  /** Ends an interrupted answer, and returns its text so far. */
  endInterrupted(): string {
    return this.#text.end(true).content;
  }

  /** Throws `MODEL_STREAM_BROKEN` if the answer becomes too long, `MODEL_OUTPUT_INCOMPLETE` if it only repeats itself. */
  text(delta: string): void {
    this.#countChars(delta);
    this.#text.push(delta);
    if (this.#text.made > MAX_CALLS) throw tooManyCalls();
    this.#watches.text.push(delta);
  }

  /** A piece of the arguments of a call that is not complete yet. Throws as `text` does if they only repeat themselves. */
  watchArguments(delta: string): void {
    this.#watches.arguments.push(delta);
  }

  /** `key` is the protocol's name for the field. */
  reasoning(delta: string, key: string): void {
    if (delta === '') return;
    this.#countChars(delta);
    this.#reasoningKey = key;
    this.#reasoning += delta;
    this.#onProgress({ kind: 'reasoning', text: delta });
    this.#watches.reasoning.push(delta);
  }

  /**
   * Adds a call if its arguments are an object or the strict JSON of one, else an invalid call. Its id may
   * differ from the received one.
   */
  call(received: ReceivedCall): void {
    if (this.#toolCalls.length + this.#invalidToolCalls.length === MAX_CALLS) throw tooManyCalls();
    const id = this.#uniqueId(received.id);
    const raw = received.arguments;
    this.#countChars(typeof raw === 'string' ? raw : (JSON.stringify(raw) ?? ''));
    const args = parseArguments(received.name, raw);
    if (typeof args === 'string') {
      const rawArguments = typeof raw === 'string' ? raw : JSON.stringify(raw ?? {});
      this.#invalidToolCalls.push({ id, name: received.name, rawArguments, problem: args });
    } else {
      const { name, replay } = received;
      this.#toolCalls.push({ id, name, arguments: args, ...(replay && { replay }) });
    }
  }

  /** Adds a call that the server itself could not parse. */
  invalidCall(call: Omit<InvalidToolCall, 'id'>): void {
    this.#invalidToolCalls.push({ id: this.#uniqueId(''), ...call });
  }

  /**
   * The content of the answer; without calls if the output limit cut it. Call it once. Throws
   * `MODEL_STREAM_BROKEN` if it makes too many calls.
   */
  build(finish: ModelReply['finish']): AnswerContent {
    const complete = finish === 'stop';
    const text = this.#text.end(!complete);
    const reasoning = [this.#reasoning, text.reasoning].filter((part) => part !== '').join('\n');
    const reasoningKey = this.#reasoningKey ?? (text.reasoning === '' ? null : 'tags');
    // LM Studio puts an answer that is constrained to a schema where thinking belongs.
    const isMisplaced =
      this.#hasFormat && text.content.trim() === '' && isJsonValue(parseJson(reasoning));
    const answer = {
      content: isMisplaced ? reasoning : text.content,
      reasoning: isMisplaced ? '' : reasoning,
      ...(reasoningKey === null || isMisplaced ? {} : { reasoningKey }),
    };
    if (!complete) return { ...answer, toolCalls: [], invalidToolCalls: [] };
    if (text.calls.length + text.invalidCalls.length > MAX_CALLS) throw tooManyCalls();
    const native = this.#toolCalls.length;
    // A server that parses calls may also leave them in the text.
    const made = new Set(this.#toolCalls.map(identityOf));
    const written =
      native === 0 ? text.calls : text.calls.filter((call) => !made.has(identityOf(call)));
    for (const call of written) this.#toolCalls.push({ ...call, id: this.#uniqueId(call.id) });
    for (const call of native > 0 ? [] : text.invalidCalls) {
      this.#invalidToolCalls.push({ ...call, id: this.#uniqueId(call.id) });
    }
    const means = native > 0 ? 'native' : this.#isExplained ? 'protocol' : 'text';
    return {
      ...answer,
      toolCalls: this.#toolCalls,
      invalidToolCalls: this.#invalidToolCalls,
      ...(this.#toolCalls.length > 0 ? { toolMeans: means } : {}),
    };
  }

  #countChars({ length }: string): void {
    this.#chars += length;
    if (this.#chars > MAX_ANSWER_CHARS) throw tooLongAnswer();
  }

  #uniqueId(wanted: string): string {
    this.#usedIds ??= idsOf(this.#history);
    const id = wanted === '' || this.#usedIds.has(wanted) ? newId('call') : wanted;
    this.#usedIds.add(id);
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

function isJsonValue(value: unknown): boolean {
  return isRecord(value) || Array.isArray(value);
}

function identityOf({ name, arguments: given }: ToolCall): string {
  return canonicalJson([name, given]);
}

/** The arguments as an object, or else the problem with the call, as a message for the model. */
function parseArguments(name: string, raw: unknown): Record<string, unknown> | string {
  if (name === '') return 'The call does not name a tool.';
  let value: unknown = raw ?? {};
  if (typeof raw === 'string') {
    try {
      // Servers write "no arguments" as an empty text; anything else must be JSON as it is.
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
