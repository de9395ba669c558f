import { expect, test } from 'vitest';
import type { ChatMessage, ChatModel, ModelProgress, ToolSchema } from '#main/models/types.ts';

/**
 * What every `ChatModel` promises, whichever provider implements it. A subject answers a question in two
 * rounds: first with thinking, text and one or more calls, then, once it has the results, with text.
 */
export interface ChatModelSubject {
  readonly name: string;
  open(): Promise<{ model: ChatModel; close: () => Promise<void> }>;
  /** A question that the subject answers with calls. */
  readonly question: string;
  /** What the calls give. */
  readonly result: string;
  /** It runs on the internet. */
  readonly isCloud?: true;
}

const TOOLS: readonly ToolSchema[] = ['execute_code', 'shell_command', 'sandbox_file'].map(
  (name) => ({
    name,
    description: 'A tool.',
    parameters: { type: 'object', properties: {} },
  }),
);

export function describeChatModel(subject: ChatModelSubject): void {
  const begin = (): ChatMessage[] => [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: subject.question },
  ];

  test(`${subject.name}: deltas add up to the reply, and calls are complete`, async () => {
    await using opened = await openSubject(subject);
    const { reply, progress } = await send(opened.model, begin());
    const joined = (kind: 'text' | 'reasoning'): string =>
      progress.map((entry) => (entry.kind === kind ? entry.text : '')).join('');
    expect([joined('text'), joined('reasoning')]).toEqual([reply.content, reply.reasoning]);
    expect(reply.toolCalls.length).toBeGreaterThan(0);
    expect(new Set(reply.toolCalls.map((call) => call.id)).size).toBe(reply.toolCalls.length);
    expect(reply).toMatchObject({ finish: 'stop', invalidToolCalls: [] });
    expect(reply.reasoning).not.toBe('');
    expect(reply.usage.durationMs).toBeGreaterThanOrEqual(0);
  });

  test(`${subject.name}: a conversation goes on with the results, on an unmoved prefix`, async () => {
    await using opened = await openSubject(subject);
    const messages = begin();
    const first = await send(opened.model, messages);
    const { content, reasoning, toolCalls } = first.reply;
    messages.push({ role: 'assistant', content, reasoning, toolCalls });
    for (const call of toolCalls) {
      messages.push({
        role: 'tool',
        content: subject.result,
        toolCallId: call.id,
        toolName: call.name,
      });
    }
    const second = await send(opened.model, messages);
    expect(second.reply).toMatchObject({
      finish: 'stop',
      toolCalls: [],
      content: expect.stringMatching(/\S/),
      prefix: { hit: true },
    });
    expect(first.reply.prefix).toEqual({ hit: true, bytes: 0 });
    expect(second.reply.prefix.bytes).toBeGreaterThan(first.reply.requestBytes - 10);
    expect(second.reply.requestBytes).toBeGreaterThan(second.reply.prefix.bytes);
  });

  test(`${subject.name}: an abort rejects with its reason, before and in the middle`, async () => {
    await using opened = await openSubject(subject);
    const reason = new Error('the user stopped it');
    await expect(send(opened.model, begin(), AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const sending = opened.model.send(
      { messages: begin(), tools: TOOLS },
      { signal: controller.signal, onProgress: () => controller.abort(reason) },
    );
    await expect(sending).rejects.toBe(reason);
  });

  test(`${subject.name}: it says what it is, and can be closed twice`, async () => {
    await using opened = await openSubject(subject);
    const { ref, profile, contextWindow } = opened.model;
    expect([ref.provider, ref.name, profile.cloud]).toEqual([
      expect.stringMatching(/\S/),
      expect.stringMatching(/\S/),
      subject.isCloud === true,
    ]);
    expect(contextWindow === null || contextWindow >= 2048).toBe(true);
    await opened.model[Symbol.asyncDispose]();
  });
}

async function openSubject(
  subject: ChatModelSubject,
): Promise<AsyncDisposable & { model: ChatModel }> {
  const { model, close } = await subject.open();
  const dispose = async (): Promise<void> => {
    await model[Symbol.asyncDispose]();
    await close();
  };
  return { model, [Symbol.asyncDispose]: dispose };
}

async function send(
  model: ChatModel,
  messages: readonly ChatMessage[],
  signal: AbortSignal = new AbortController().signal,
): Promise<{ reply: Awaited<ReturnType<ChatModel['send']>>; progress: ModelProgress[] }> {
  const progress: ModelProgress[] = [];
  const options = { signal, onProgress: (entry: ModelProgress) => void progress.push(entry) };
  const reply = await model.send({ messages: [...messages], tools: TOOLS }, options);
  return { reply, progress };
}
