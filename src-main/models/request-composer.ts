import type { ChatMessage, PrefixReport, ToolSchema } from './types.ts';

/** How a protocol encodes messages. Each result is serialised once and kept. */
export interface MessageCodec {
  /** `withReasoning`: the message belongs to the current turn, so its thinking is replayed. */
  encode(message: ChatMessage, options: { withReasoning: boolean }): unknown;
}

export interface RequestParts {
  /** Fields before the messages: model, options, tools. Keep them the same from request to request. */
  readonly head: Readonly<Record<string, unknown>>;
  readonly messages: readonly ChatMessage[];
  /** A final message that later requests do not repeat. */
  readonly ephemeralMessage?: ChatMessage | undefined;
  /** Fields for this request alone; they follow the messages and break no cache. */
  readonly tail: Readonly<Record<string, unknown>>;
}

/**
 * Writes request bodies whose earlier bytes stay the same while a conversation grows, so that the server
 * can reuse its prompt cache. Each message is serialised when it is first sent, and its bytes are kept
 * while the model is open; so is the decision to replay its thinking.
 */
export class RequestComposer {
  readonly #codec: MessageCodec;
  readonly #written = new WeakMap<ChatMessage, string>();
  #previous: WrittenRequest | null = null;

  constructor(codec: MessageCodec) {
    this.#codec = codec;
  }

  compose(parts: RequestParts): { body: Buffer; prefix: PrefixReport } {
    const head = `${JSON.stringify(parts.head).slice(0, -1)},"messages":[`;
    const turnStart = parts.messages.findLastIndex(
      (message) => message.role === 'user' && message.ofResults !== true,
    );
    const messages = parts.messages.map((message, index) =>
      this.#write(message, index > turnStart),
    );
    const prefix = comparePrefix(this.#previous, { head, messages });
    this.#previous = { head, messages };
    const tail = JSON.stringify(parts.tail).slice(1);
    const { ephemeralMessage } = parts;
    const all =
      ephemeralMessage === undefined
        ? messages
        : [...messages, this.#write(ephemeralMessage, true)];
    const body = `${head}${all.join(',')}]${tail === '}' ? tail : `,${tail}`}`;
    return { body: Buffer.from(body, 'utf8'), prefix };
  }

  #write(message: ChatMessage, withReasoning: boolean): string {
    const known = this.#written.get(message);
    if (known !== undefined) return known;
    const text = JSON.stringify(this.#codec.encode(message, { withReasoning }));
    this.#written.set(message, text);
    return text;
  }
}

/** A request as text: the fields before its messages, and each message. */
export interface WrittenRequest {
  readonly head: string;
  readonly messages: readonly string[];
}

/** What of a request the one before had as well, from its start. */
export function comparePrefix(before: WrittenRequest | null, now: WrittenRequest): PrefixReport {
  if (before === null) return { hit: true, bytes: 0 };
  if (before.head !== now.head) return { hit: false, bytes: commonBytes(before.head, now.head) };
  let bytes = Buffer.byteLength(now.head);
  for (const [index, message] of before.messages.entries()) {
    const other = now.messages[index];
    if (other !== message) {
      return { hit: false, bytes: bytes + (other === undefined ? 0 : commonBytes(message, other)) };
    }
    bytes += Buffer.byteLength(message) + 1;
  }
  return { hit: true, bytes };
}

/** Number of bytes that two texts share from their start. */
function commonBytes(a: string, b: string): number {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i += 1) if (left[i] !== right[i]) return i;
  return length;
}

/** Tools in the form that both protocols share. */
export function encodeTools(tools: readonly ToolSchema[]): unknown[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
}
