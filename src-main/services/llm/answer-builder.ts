import { newId } from '../../base/ids.ts';
import { isRecord } from './json-text.ts';
import type { ChatMessage, InvalidToolCall, ModelProgress, ModelReply, ToolCall } from './types.ts';

/** A call as a server sent it: complete, but not yet checked. */
export interface ReceivedCall {
  readonly id: string;
  readonly name: string;
  /** A string is strict JSON or the call is invalid: it is never repaired. */
  readonly arguments: unknown;
}

export type AnswerContent = Pick<
  ModelReply,
  'content' | 'reasoning' | 'toolCalls' | 'invalidToolCalls'
>;

/** Puts an answer together as it streams in. Both protocols and the scripted model use it. */
export class AnswerBuilder {
  readonly #onProgress: (progress: ModelProgress) => void;
  readonly #takenIds: Set<string>;
  readonly #toolCalls: ToolCall[] = [];
  readonly #invalidToolCalls: InvalidToolCall[] = [];
  #content = '';
  #reasoning = '';

  /** `history` holds the ids that a new call must not have: some servers start again at `call_0`. */
  constructor(history: readonly ChatMessage[], onProgress: (progress: ModelProgress) => void) {
    this.#onProgress = onProgress;
    this.#takenIds = new Set(
      history.flatMap((message) =>
        message.role === 'assistant' ? (message.toolCalls ?? []).map((call) => call.id) : [],
      ),
    );
  }

  /** Whether anything of the answer has come. */
  get begun(): boolean {
    return (
      this.#content !== '' ||
      this.#reasoning !== '' ||
      this.#toolCalls.length + this.#invalidToolCalls.length > 0
    );
  }

  get content(): string {
    return this.#content;
  }

  text(delta: string): void {
    if (delta === '') return;
    this.#content += delta;
    this.#onProgress({ kind: 'text', text: delta });
  }

  reasoning(delta: string): void {
    if (delta === '') return;
    this.#reasoning += delta;
    this.#onProgress({ kind: 'reasoning', text: delta });
  }

  /**
   * Takes a call in if its arguments are an object or the strict JSON of one; else as invalid.
   * Returns the id it has from now on.
   */
  call(received: ReceivedCall): string {
    const id = this.#freeId(received.id);
    const raw = received.arguments;
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

  /** What the answer holds; without any call when the output limit cut it. */
  build(finish: ModelReply['finish']): AnswerContent {
    const complete = finish === 'stop';
    return {
      content: this.#content,
      reasoning: this.#reasoning,
      toolCalls: complete ? this.#toolCalls : [],
      invalidToolCalls: complete ? this.#invalidToolCalls : [],
    };
  }

  #freeId(wanted: string): string {
    const id = wanted === '' || this.#takenIds.has(wanted) ? newId('call') : wanted;
    this.#takenIds.add(id);
    return id;
  }
}

/** The arguments as an object, or what is wrong with the call, in words for the model. */
function judgeArguments(name: string, raw: unknown): Record<string, unknown> | string {
  if (name === '') return 'The call does not name a tool.';
  let value: unknown = raw ?? {};
  if (typeof raw === 'string') {
    try {
      // No text at all is how servers write "no arguments"; anything else is JSON as it stands.
      value = raw.trim() === '' ? {} : JSON.parse(raw);
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
