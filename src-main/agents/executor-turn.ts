import { AppError } from '#contract/errors.ts';
import { newId } from '../base/ids.ts';
import type { InterruptBroker } from '../hitl/types.ts';
import type { ChatMessage, ModelReply, SendOptions, ToolSchema } from '../services/llm/types.ts';
import type { KnownTool } from '../tools/prepare-call.ts';
import { executeToolBatch } from '../tools/tool-batch.ts';
import type { CallResult, ToolPipeline } from '../tools/tool-pipeline.ts';
import type { PromptParts } from './context/conversation-fitter.ts';
import { progressEvents } from './model-progress.ts';
import { REPETITION_HINT, RepetitionGuard } from './repetition-guard.ts';
import type { AgentContext, AgentOutcome } from './types.ts';

export interface ExecutorTools {
  readonly pipeline: ToolPipeline;
  readonly broker: InterruptBroker;
  readonly byName: ReadonlyMap<string, KnownTool>;
  readonly schemas: readonly ToolSchema[];
}

/** Said once to a model that gave neither text nor a call. */
const EMPTY_ANSWER_NUDGE = 'Your answer was empty. Go on, or say what the result is.';

type Answer = Pick<ModelReply, 'content' | 'reasoning' | 'toolCalls' | 'invalidToolCalls'>;

/**
 * One run of the executor: the conversation and its counters, and what each node of the graph does
 * with them. The conversation only ever grows at its end, so that servers keep their cache.
 */
export class ExecutorTurn {
  readonly #context: AgentContext;
  readonly #tools: ExecutorTools;
  readonly #messages: ChatMessage[];
  readonly #guard = new RepetitionGuard();
  #answer: Answer | null = null;
  readonly #callIds = new Set<string>();
  #rounds = 0;
  #toolCalls = 0;
  #nudged = false;

  constructor(messages: readonly ChatMessage[], context: AgentContext, tools: ExecutorTools) {
    this.#messages = [...messages];
    this.#context = context;
    this.#tools = tools;
  }

  /** Asks the model once. Throws `ROUND_LIMIT` where it was asked too often. */
  async reason(): Promise<void> {
    const { signal, emit, maxRounds } = this.#context;
    signal.throwIfAborted();
    if (this.#rounds >= maxRounds) throw roundLimit(maxRounds);
    this.#rounds += 1;
    const onProgress = progressEvents(newId('msg'), emit);
    const { reply, parts } = await this.#send({ signal, onProgress });
    emit({ ...usageEvent(reply, this.#context, this.#rounds), parts });
    if (reply.finish === 'length') this.#failCutAnswer(reply);
    this.#answer = this.#withOwnIds(reply);
  }

  /** One request that fits the window; once more where the server counts otherwise than we do. */
  async #send(options: SendOptions): Promise<{ reply: ModelReply; parts: PromptParts }> {
    const { model, fitter } = this.#context;
    const tools = this.#tools.schemas;
    const attempt = async (): Promise<{ reply: ModelReply; parts: PromptParts }> => {
      const { messages, parts } = await fitter.fit(this.#messages, tools);
      const reply = await model.send({ messages, tools }, options);
      fitter.learn(reply.usage.promptTokens);
      return { reply, parts };
    };
    try {
      return await attempt();
    } catch (error) {
      if (!wasTooLong(error)) throw error;
      fitter.refused(error.details);
      return attempt();
    }
  }

  /** Where the graph goes after the model answered. */
  next(): 'act' | 'reason' | 'complete' {
    const { content = '', toolCalls = [], invalidToolCalls = [] } = this.#answer ?? {};
    if (toolCalls.length > 0 || invalidToolCalls.length > 0) return 'act';
    if (content.trim() !== '') return 'complete';
    if (this.#nudged) {
      throw new AppError(
        'MODEL_OUTPUT_INCOMPLETE',
        `${this.#context.model.ref.name} gave an empty answer twice. Try again, or choose another model.`,
      );
    }
    this.#nudged = true;
    this.#push([{ role: 'user', content: EMPTY_ANSWER_NUDGE }]);
    return 'reason';
  }

  /** Runs the calls of the answer and adds their results to the conversation. */
  async act(): Promise<void> {
    const { toolCalls = [], invalidToolCalls = [] } = this.#answer ?? {};
    const calls = [...toolCalls, ...invalidToolCalls];
    const round = this.#assistantMessage();
    let results: CallResult[] = [];
    try {
      results = await executeToolBatch(calls, this.#callContext(), {
        pipeline: this.#tools.pipeline,
        tools: this.#tools.byName,
      });
    } catch (error) {
      // No call may be left without a result: the next turn of the thread could not be sent.
      this.#recordRound(round, calls.map(cancelledResult));
      throw error;
    }
    this.#toolCalls += results.length;
    this.#recordRound(round, results);
    this.#watchForCircles(results);
  }

  /** The last answer, as the run's own. */
  complete(): AgentOutcome {
    const message = this.#assistantMessage();
    this.#push([message]);
    return { answer: message.content, rounds: this.#rounds, toolCalls: this.#toolCalls };
  }

  /** Some servers count calls anew in each answer; the log and the results need one id for each. */
  #withOwnIds(answer: Answer): Answer {
    const rename = <Call extends { readonly id: string }>(call: Call): Call => {
      const id = this.#callIds.has(call.id) ? newId('call') : call.id;
      this.#callIds.add(id);
      return id === call.id ? call : { ...call, id };
    };
    const { toolCalls, invalidToolCalls } = answer;
    return {
      ...answer,
      toolCalls: toolCalls.map(rename),
      invalidToolCalls: invalidToolCalls.map(rename),
    };
  }

  #callContext() {
    const { runId, threadId, approve, sandbox, signal, emit } = this.#context;
    const { broker } = this.#tools;
    const agent = 'executor' as const;
    return { runId, threadId, approve, sandbox, signal, emit, broker, agent, round: this.#rounds };
  }

  #assistantMessage(): Extract<ChatMessage, { role: 'assistant' }> {
    const {
      content = '',
      reasoning = '',
      toolCalls = [],
      invalidToolCalls = [],
    } = this.#answer ?? {};
    // An unreadable call is replayed with no arguments: servers refuse a history that is not JSON.
    const unreadable = invalidToolCalls.map(({ id, name }) => ({ id, name, arguments: {} }));
    const calls = [...toolCalls, ...unreadable];
    return {
      role: 'assistant',
      content,
      ...(reasoning === '' ? {} : { reasoning }),
      ...(calls.length === 0 ? {} : { toolCalls: calls }),
    };
  }

  #recordRound(message: ChatMessage, results: readonly CallResult[]): void {
    const answers = results.map(
      ({ toolCallId, toolName, content }): ChatMessage => ({
        role: 'tool',
        toolCallId,
        toolName,
        content,
      }),
    );
    this.#push([message, ...answers]);
  }

  #push(messages: readonly ChatMessage[]): void {
    this.#messages.push(...messages);
    this.#context.record(messages);
  }

  #watchForCircles(results: readonly CallResult[]): void {
    const { toolCalls = [], invalidToolCalls = [] } = this.#answer ?? {};
    const failed = results.every((result) => result.status === 'error');
    const verdict = this.#guard.observe([...toolCalls, ...invalidToolCalls], failed);
    if (verdict === 'give_up') {
      throw new AppError(
        'MODEL_REPEATS_FAILURES',
        `${this.#context.model.ref.name} keeps making calls that fail. The task may be too hard for it: choose a larger model, or ask for a smaller step.`,
      );
    }
    if (verdict === 'hint') this.#push([{ role: 'user', content: REPETITION_HINT }]);
  }

  #failCutAnswer({ content }: ModelReply): never {
    if (content !== '') this.#push([{ role: 'assistant', content }]);
    throw new AppError(
      'MODEL_OUTPUT_INCOMPLETE',
      'The model reached its output limit before it was done; no call of a cut answer is run. Ask it to go on, or for a shorter answer.',
      { details: { partial: content } },
    );
  }
}

/** Refused by the server; what the fitter itself refuses comes without its status. */
function wasTooLong(error: unknown): error is AppError {
  return (
    error instanceof AppError &&
    error.code === 'MODEL_CONTEXT_EXCEEDED' &&
    !('own' in error.details)
  );
}

function cancelledResult({ id, name }: { id: string; name: string }): CallResult {
  const content = 'The run ended before this call had a result.';
  return { toolCallId: id, toolName: name, content, status: 'cancelled' };
}

function usageEvent(
  { usage, prefix, toolMeans }: ModelReply,
  { model }: AgentContext,
  round: number,
) {
  return {
    type: 'usage' as const,
    round,
    model: `${model.ref.provider}:${model.ref.name}`,
    prefix,
    ...(toolMeans === undefined ? {} : { toolMeans }),
    ...usage,
    ...(model.contextWindow === null ? {} : { contextWindow: model.contextWindow }),
  };
}

function roundLimit(maxRounds: number): AppError {
  return new AppError(
    'ROUND_LIMIT',
    `The run reached its limit of ${maxRounds} rounds. What it did is kept: ask it to go on, or raise the limit in the settings.`,
    { details: { maxRounds } },
  );
}
