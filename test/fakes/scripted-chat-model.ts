import type {
  ChatModel,
  ModelReply,
  ModelRequest,
  SendOptions,
  ToolCall,
} from '#main/models/types.ts';

/** What the model says next: a reply, or a function that takes its time or throws. */
export type ScriptedReply =
  | Partial<ModelReply>
  | ((request: ModelRequest, options: SendOptions) => Promise<Partial<ModelReply>>);

/** A model in the same process that plays replies in order and keeps every request as JSON. */
export class ScriptedChatModel implements ChatModel {
  readonly ref = { provider: 'fake', name: 'scripted' };
  readonly profile = {
    trainedContext: null,
    tools: true,
    thinking: null,
    vision: null,
    cloud: false,
  };
  readonly contextWindow = 8192;
  readonly requests: string[] = [];
  readonly #replies: ScriptedReply[];

  constructor(replies: readonly ScriptedReply[]) {
    this.#replies = [...replies];
  }

  async send(request: ModelRequest, options: SendOptions): Promise<ModelReply> {
    this.requests.push(JSON.stringify(request.messages));
    const next = this.#replies.shift();
    if (next === undefined) throw new Error('The script has no further reply');
    const given = typeof next === 'function' ? await next(request, options) : next;
    const reply: ModelReply = {
      content: '',
      reasoning: '',
      toolCalls: [],
      invalidToolCalls: [],
      finish: 'stop',
      usage: { durationMs: 1 },
      requestBytes: 0,
      prefix: { hit: true, bytes: 0 },
      ...given,
    };
    if (reply.reasoning !== '') options.onProgress({ kind: 'reasoning', text: reply.reasoning });
    if (reply.content !== '') options.onProgress({ kind: 'text', text: reply.content });
    return reply;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }
}

export function call(id: string, name: string, input: Readonly<Record<string, unknown>>): ToolCall {
  return { id, name, arguments: input };
}
