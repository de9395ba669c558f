import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import type { ChatModel, ModelProgress, ModelReply, ModelRequest, ToolSchema } from '../types.ts';
import { fromLangChain, OWN_FIELDS, type OwnFields } from './messages.ts';

export interface GraphModelOptions extends BaseChatModelCallOptions {
  readonly tools?: readonly BindToolsInput[];
  readonly format?: ModelRequest['format'];
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
}

/**
 * One of the app's models as a chat model of LangChain, for any graph: with the window, the limits, the errors
 * and the strict calls that it has everywhere. The caller opens and disposes `model`. An answer that the
 * output limit cut has the finish reason `length` and no calls.
 */
export class GraphModel extends BaseChatModel<GraphModelOptions> {
  readonly #model: ChatModel;

  constructor(model: ChatModel) {
    super({});
    this.#model = model;
  }

  override _llmType(): string {
    return 'hyperagent';
  }

  override bindTools(
    tools: BindToolsInput[],
    options: Partial<GraphModelOptions> = {},
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, GraphModelOptions> {
    return this.withConfig({ ...options, tools });
  }

  override async _generate(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
  ): Promise<ChatResult> {
    const reply = await this.#send(messages, options, () => undefined);
    const fields = fieldsOf(reply);
    const message = new AIMessage({
      ...fields,
      content: reply.content,
      tool_calls: reply.toolCalls.map(({ id, name, arguments: args }) => ({
        ...{ id, name, args: { ...args }, type: 'tool_call' as const },
      })),
      invalid_tool_calls: reply.invalidToolCalls.map(({ id, name, rawArguments, problem }) => ({
        ...{ id, name, args: rawArguments, error: problem, type: 'invalid_tool_call' as const },
      })),
    });
    return { generations: [{ text: reply.content, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const texts: string[] = [];
    let wake = Promise.withResolvers<void>();
    const stop = new AbortController();
    const signals = [stop.signal, ...(options.signal === undefined ? [] : [options.signal])];
    const sending = this.#send(
      messages,
      { ...options, signal: AbortSignal.any(signals) },
      (entry) => {
        if (entry.kind !== 'text') return;
        texts.push(entry.text);
        wake.resolve();
      },
    );
    const ended = sending.then(
      () => true,
      () => true,
    );
    try {
      for (let isOver = false; !isOver; ) {
        isOver = (await Promise.race([ended, wake.promise])) === true;
        wake = Promise.withResolvers();
        for (const text of texts.splice(0)) {
          const chunk = chunkOf({ content: text });
          yield chunk;
          await runManager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, {
            chunk,
          });
        }
      }
      const reply = await sending;
      const calls = [...reply.toolCalls, ...reply.invalidToolCalls];
      yield chunkOf({
        ...fieldsOf(reply),
        content: '',
        tool_call_chunks: calls.map((call, index) => ({
          ...{ id: call.id, name: call.name, index, type: 'tool_call_chunk' as const },
          args: 'rawArguments' in call ? call.rawArguments : JSON.stringify(call.arguments),
        })),
      });
    } finally {
      // A reader that leaves early does not let the model write on.
      stop.abort();
    }
  }

  #send(
    messages: readonly BaseMessage[],
    options: this['ParsedCallOptions'],
    onProgress: (progress: ModelProgress) => void,
  ): Promise<ModelReply> {
    const { tools = [], format, maxOutputTokens, temperature, signal } = options;
    return this.#model.send(
      {
        messages: fromLangChain(messages),
        tools: tools.map(toolSchema),
        ...(format !== undefined && { format }),
        ...(maxOutputTokens !== undefined && { maxOutputTokens }),
        ...(temperature !== undefined && { temperature }),
      },
      { signal: signal ?? new AbortController().signal, onProgress },
    );
  }
}

function toolSchema(tool: BindToolsInput): ToolSchema {
  const { function: schema } = convertToOpenAITool(tool as never);
  return {
    name: schema.name,
    description: schema.description ?? '',
    parameters: schema.parameters ?? { type: 'object', properties: {} },
  };
}

function chunkOf(fields: ConstructorParameters<typeof AIMessageChunk>[0]): ChatGenerationChunk {
  const message = new AIMessageChunk(fields as never);
  return new ChatGenerationChunk({ message, text: message.text });
}

function fieldsOf({ reasoning, toolCalls, finish, usage }: ModelReply) {
  const replays = toolCalls.flatMap(({ id, replay }) => (replay ? [[id, replay] as const] : []));
  const own: OwnFields = { reasoning, replays: Object.fromEntries(replays) };
  const { promptTokens = 0, completionTokens = 0 } = usage;
  return {
    additional_kwargs: { [OWN_FIELDS]: own },
    response_metadata: { finish_reason: finish },
    // The types of LangChain say that there are no figures.
    usage_metadata: {
      input_tokens: promptTokens,
      output_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    } as never,
  };
}
