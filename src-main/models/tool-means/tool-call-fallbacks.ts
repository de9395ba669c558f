import { AppError } from '#contract/errors.ts';
import type { ToolCallMeans } from '#contract/vocabulary.ts';
import type { ChatModel, ModelReply, ModelRequest, SendOptions } from '../types.ts';
import { callSchema, constrainedReminder, readConstrainedCall } from './constrained-call.ts';
import { ExplainedTools } from './explained-tools.ts';

/** How a model makes its tool calls, as far as known; stored in its profile. */
export interface ToolMeansMemory {
  get(): ToolCallMeans | null;
  put(means: ToolCallMeans): void;
  /** False once the server has refused to constrain an answer. */
  canConstrain(): boolean;
  cannotConstrain(): void;
}

const EXPLAINING = 'the model has no native tool calls, so the prompt explains the tools';

/**
 * Wraps a model with fallbacks for its tool calls: native calls, or calls recovered from the text (the
 * wrapped model does both); one retry constrained to a schema if a call cannot be parsed; and for models
 * without tools, an explanation in the prompt. Remembers what works.
 */
export function withToolCallFallbacks(model: ChatModel, memory: ToolMeansMemory): ChatModel {
  const explained = new ExplainedTools();

  const explain = async (request: ModelRequest, options: SendOptions): Promise<ModelReply> => {
    const reply = await model.send(explained.rewrite(request), options);
    return constrainIfNeeded(reply, explained.rewrite(request), options);
  };

  const constrainIfNeeded = async (
    reply: ModelReply,
    request: ModelRequest,
    options: SendOptions,
  ): Promise<ModelReply> => {
    const broken = reply.invalidToolCalls[0];
    const isUseless = reply.toolCalls.length === 0 && broken !== undefined;
    if (!isUseless || !memory.canConstrain()) return reply;
    const tools = request.explainedTools ?? request.tools;
    options.onProgress({
      kind: 'retrying',
      attempt: 1,
      reason: `its call of ${broken.name === '' ? 'a tool' : broken.name} could not be parsed`,
    });
    try {
      const second = await model.send(
        { ...request, ephemeralMessage: constrainedReminder(broken), format: callSchema(tools) },
        { signal: options.signal, onProgress: () => undefined },
      );
      const call = second.finish === 'stop' ? readConstrainedCall(second.content, tools) : null;
      if (call === null) return reply;
      return {
        ...second,
        content: reply.content,
        reasoning: reply.reasoning,
        toolCalls: [call],
        invalidToolCalls: [],
        toolMeans: 'constrained',
        prefix: { ...second.prefix, hit: reply.prefix.hit && second.prefix.hit },
      };
    } catch (error) {
      if (options.signal.aborted || !(error instanceof AppError)) throw error;
      // Servers that do not support tools and a schema together refuse. The model then gets the problem as
      // a message instead.
      if (error.code === 'MODEL_BAD_REQUEST') memory.cannotConstrain();
      return reply;
    }
  };

  const ask = async (request: ModelRequest, options: SendOptions): Promise<ModelReply> => {
    if (memory.get() === 'protocol' || model.profile.tools === false) {
      return explain(request, options);
    }
    try {
      const reply = await model.send(request, options);
      return await constrainIfNeeded(reply, request, options);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'MODEL_LACKS_TOOLS') throw error;
      options.onProgress({ kind: 'retrying', attempt: 1, reason: EXPLAINING });
      memory.put('protocol');
      return explain(request, options);
    }
  };

  return {
    ref: model.ref,
    profile: model.profile,
    get contextWindow() {
      return model.contextWindow;
    },
    send: async (request, options) => {
      if (request.tools.length === 0) return model.send(request, options);
      const reply = await ask(request, options);
      if (reply.toolMeans !== undefined && reply.toolMeans !== 'constrained') {
        memory.put(reply.toolMeans);
      }
      return reply;
    },
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

/** Memory for one session of a model; `put` and `cannotConstrain` also call `onLearn`. */
export function sessionMemory(
  known: ToolCallMeans | null,
  onLearn: (learnt: { toolMeans: ToolCallMeans } | { jsonSchema: false }) => void = () => undefined,
): ToolMeansMemory {
  let means = known;
  let constrains = true;
  return {
    get: () => means,
    put: (next) => {
      if (next === means) return;
      means = next;
      onLearn({ toolMeans: next });
    },
    canConstrain: () => constrains,
    cannotConstrain: () => {
      constrains = false;
      onLearn({ jsonSchema: false });
    },
  };
}
