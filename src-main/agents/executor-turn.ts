import { AppError } from '#contract/errors.ts';
import { type InterruptBroker, isGoingOnLater } from '../hitl/types.ts';
import type { ChatMessage, ModelReply, SendOptions, ToolSchema } from '../models/types.ts';
import type { AnswerStore } from '../storage/types.ts';
import type { KnownTool } from '../tools/prepare-call.ts';
import { shortenResult } from '../tools/shorten-result.ts';
import { executeToolBatch } from '../tools/tool-batch.ts';
import type { CallResult, ToolPipeline } from '../tools/tool-pipeline.ts';
import type { SkillRunAgents } from '../tools/types.ts';
import { callIdOf } from './call-id.ts';
import type { PromptParts } from './context/conversation-fitter.ts';
import { progressEvents } from './model-progress.ts';
import { REPETITION_HINT, RepetitionGuard } from './repetition-guard.ts';
import { type Answer, parseStoredAnswer } from './stored-answer.ts';
import { type AgentContext, type AgentOutcome, type MadeCall, ROUNDS_PER_LANE } from './types.ts';
import { usageEvent } from './usage-event.ts';

export interface ExecutorTools {
  readonly pipeline: ToolPipeline;
  readonly broker: InterruptBroker;
  readonly answers: AnswerStore;
  readonly skillAgents: SkillRunAgents | null;
  readonly byName: ReadonlyMap<string, KnownTool>;
  readonly schemas: readonly ToolSchema[];
}

/** What is kept of a result as evidence of what was done; the outcome is stored. */
const EVIDENCE_CHARS = 4_000;

/** Said once to a model that gave neither text nor a call. */
const EMPTY_ANSWER_NUDGE = 'Your answer was empty. Go on, or say what the result is.';

/** What a round gave: the answer, and the results of its calls; plain JSON, stored as a step's result. */
export interface Round {
  readonly number: number;
  readonly answer: Answer;
  readonly results: readonly CallResult[];
}

type Next = 'act' | 'reason' | 'complete';

/**
 * One run of the executor: the conversation and its counters. `round` does things and gives what came
 * of them; `take` takes that in and does nothing else. So a run that goes on after a crash takes the
 * stored rounds in again, and comes to where it was. The conversation only ever grows at its end, so
 * that servers keep their cache.
 */
export class ExecutorTurn {
  readonly #context: AgentContext;
  readonly #tools: ExecutorTools;
  readonly #messages: ChatMessage[];
  readonly #guard: RepetitionGuard;
  #answer: Answer | null = null;
  /** Rounds of the conversation, before this work and in it. */
  #rounds: number;
  readonly #calls: MadeCall[] = [];
  /** What comes after the answer at hand, as far as it was taken in. */
  #next: Next = 'reason';
  /** Settled when the round at hand is on disk; one that is taken from there is already. */
  #stored = settled();
  #nudged = false;

  constructor(messages: readonly ChatMessage[], context: AgentContext, tools: ExecutorTools) {
    this.#messages = [...messages];
    this.#context = context;
    this.#rounds = context.roundsBefore;
    this.#tools = tools;
    this.#guard = new RepetitionGuard(context);
  }

  /** One answer and its calls. Throws `ROUND_LIMIT` where the model was asked too often. */
  async round(): Promise<Round> {
    this.#stored = unsettled();
    const answer = await this.#answerOfRound();
    this.#hear(answer);
    const results = this.#next === 'act' ? await this.#act() : [];
    return { number: this.#rounds, answer, results };
  }

  /** Takes a round in, and says what comes next. Throws `MODEL_REPEATS_FAILURES` where it goes in circles. */
  take({ number, answer, results }: Round): Next {
    // A round of an earlier life was not heard in this one.
    if (number > this.#rounds) this.#hear(answer);
    if (this.#next !== 'act') return this.#next;
    this.#noteCalls(answer, results);
    this.#recordRound(this.#assistantMessage(), results);
    const known = this.#answerToFirst(results);
    if (known !== null) {
      this.#answer = { content: known, reasoning: '', toolCalls: [], invalidToolCalls: [] };
      return 'complete';
    }
    this.#watchForCircles(results);
    return 'reason';
  }

  /**
   * Stores what a round gave, with all that was said on the way. Never throws: the framework has nobody
   * who listens. What cannot be stored stops the run by its signal, and rejects `roundStored`.
   */
  commitRound(work: () => void, isResult: boolean): void {
    try {
      this.#context.commit(work);
      if (isResult) this.#stored.resolve();
    } catch (error) {
      this.#stored.reject(error);
    }
  }

  /** What the next round does may only follow what is on disk. Rejects with what storing threw. */
  roundStored(): Promise<void> {
    return this.#stored.promise;
  }

  /**
   * The answer that an earlier life had in this round, or one that the model is asked for. It is on
   * disk before the first effect of its calls: it goes into the transaction of their intent.
   */
  async #answerOfRound(): Promise<Answer> {
    const { runId, resumed, persist, firstCalls = [] } = this.#context;
    const round = this.#numbered(this.#rounds + 1);
    const known = resumed ? this.#tools.answers.find(runId, round) : null;
    if (known !== null) return parseStoredAnswer(known);
    const isFirst = this.#rounds === this.#context.roundsBefore;
    const answer =
      isFirst && firstCalls.length > 0
        ? this.#withOwnIds(answerOf(firstCalls))
        : await this.#reason(round);
    if (answer.toolCalls.length > 0) persist(() => this.#tools.answers.put(runId, round, answer));
    return answer;
  }

  async #reason(round: number): Promise<Answer> {
    const { runId, emit, maxRounds, roundsBefore } = this.#context;
    // An answer that is broken off is asked for again: nothing is lost by it.
    const signal = AbortSignal.any([this.#context.signal, this.#context.pause]);
    signal.throwIfAborted();
    if (this.#rounds - roundsBefore >= maxRounds) throw roundLimit(maxRounds);
    // The same name each time the round is done: what was told before a crash is not told again.
    const onProgress = progressEvents(`${runId}-m${round}`, emit);
    const { reply, parts } = await this.#send({ signal, onProgress });
    emit({ ...usageEvent(reply, this.#context.model, round), parts });
    if (reply.finish === 'length') this.#failCutAnswer(reply);
    return this.#withOwnIds(reply);
  }

  #answerToFirst(results: readonly CallResult[]): string | null {
    const { firstCalls = [], answerToFirstCalls, roundsBefore } = this.#context;
    if (firstCalls.length === 0 || this.#rounds !== roundsBefore + 1) return null;
    return answerToFirstCalls?.(results) ?? null;
  }

  /** The number of a round of this work in its run. */
  #numbered(round: number): number {
    return this.#context.lane * ROUNDS_PER_LANE + round;
  }

  #noteCalls({ toolCalls }: Answer, results: readonly CallResult[]): void {
    const given = new Map(toolCalls.map((call) => [call.id, call.arguments]));
    const kept = this.#context.evidenceChars ?? EVIDENCE_CHARS;
    for (const { toolCallId, toolName: name, status, content } of results) {
      const text = shortenResult(content, kept).content;
      this.#calls.push({ name, arguments: given.get(toolCallId) ?? {}, status, content: text });
    }
  }

  /** Takes an answer in. */
  #hear(answer: Answer): void {
    this.#rounds += 1;
    this.#answer = answer;
    this.#next = this.#afterAnswer(answer);
  }

  /** One request that fits the window; once more where the server counts otherwise than we do. */
  async #send(options: SendOptions): Promise<{ reply: ModelReply; parts: PromptParts }> {
    const { model, fitter } = this.#context;
    const tools = this.#tools.schemas;
    const attempt = async (): Promise<{ reply: ModelReply; parts: PromptParts }> => {
      const { messages, parts } = await fitter.fit(this.#messages, tools);
      const ephemeralMessage = this.#context.ephemeralMessage?.() ?? null;
      const said =
        ephemeralMessage === null
          ? {}
          : { ephemeralMessage: { role: 'user' as const, content: ephemeralMessage } };
      const reply = await model.send({ messages, tools, ...said }, options);
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

  #afterAnswer({ content, toolCalls, invalidToolCalls }: Answer): Next {
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

  /** Runs the calls of the answer. */
  async #act(): Promise<CallResult[]> {
    this.#context.pause.throwIfAborted();
    const { toolCalls = [], invalidToolCalls = [] } = this.#answer ?? {};
    const calls = [...toolCalls, ...invalidToolCalls];
    try {
      return await executeToolBatch(calls, this.#callContext(), {
        pipeline: this.#tools.pipeline,
        tools: this.#tools.byName,
      });
    } catch (error) {
      // No call may be left without a result where the run ends: the next turn could not be sent.
      if (!isGoingOnLater(error) && !isGoingOnLater(this.#context.signal.reason)) {
        this.#recordRound(this.#assistantMessage(), calls.map(cancelledResult));
      }
      throw error;
    }
  }

  /** The last answer, as the run's own. */
  complete(): AgentOutcome {
    const message = this.#assistantMessage();
    this.#push([message]);
    return {
      answer: message.content,
      rounds: this.#rounds,
      toolCalls: this.#calls.length,
      calls: this.#calls,
    };
  }

  /**
   * Ids come from outside, and may come twice or be made to look like ours: here calls get those that
   * stand for their place in the run, so that no two calls of a task are one to log, approvals or ledger.
   */
  #withOwnIds({ content, reasoning, toolCalls, invalidToolCalls }: Answer): Answer {
    const { runId } = this.#context;
    const round = this.#numbered(this.#rounds + 1);
    const named = <Call extends { readonly id: string }>(call: Call, index: number): Call => ({
      ...call,
      id: callIdOf({ runId, round, index }),
    });
    return {
      content,
      reasoning,
      toolCalls: toolCalls.map((call, i) => named(call, i)),
      invalidToolCalls: invalidToolCalls.map((call, i) => named(call, toolCalls.length + i)),
    };
  }

  #callContext() {
    const { runId, threadId, approve, sandbox, egress, taint } = this.#context;
    const { signal, pause, emit, persist, commit, delegate, secondOpinion = null } = this.#context;
    const { broker, skillAgents } = this.#tools;
    const agent = 'executor' as const;
    return {
      ...{ runId, threadId, approve, sandbox, egress, taint, signal, pause, emit, persist, commit },
      ...{
        broker,
        agent,
        delegate,
        skillAgents,
        secondOpinion,
        round: this.#numbered(this.#rounds),
      },
    };
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
    if (verdict === 'hint') {
      this.#push([{ role: 'user', content: REPETITION_HINT }]);
      this.#context.emit({
        type: 'stage',
        name: `change_strategy ${this.#numbered(this.#rounds)}`,
        status: 'running',
        description: 'The same calls came again and again: the model is told to try another way',
        agent: 'executor',
      });
    }
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

/** An answer that no model gave: these calls, which get their ids as those of any answer. */
function answerOf(calls: NonNullable<AgentContext['firstCalls']>): Answer {
  const toolCalls = calls.map((call) => ({ ...call, id: '' }));
  return { content: '', reasoning: '', toolCalls, invalidToolCalls: [] };
}

function unsettled(): PromiseWithResolvers<void> {
  const stored = Promise.withResolvers<void>();
  // A step that failed by itself is never waited for.
  stored.promise.catch(() => undefined);
  return stored;
}

function settled(): PromiseWithResolvers<void> {
  const stored = unsettled();
  stored.resolve();
  return stored;
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

function roundLimit(maxRounds: number): AppError {
  return new AppError(
    'ROUND_LIMIT',
    `The run reached its limit of ${maxRounds} rounds. What it did is kept: ask it to go on, or raise the limit in the settings.`,
    { details: { maxRounds } },
  );
}
