import { AppError } from '#contract/errors.ts';
import { callStep, numberedStep, type StepPath } from '../base/step-path.ts';
import { isGoingOnLater } from '../hitl/types.ts';
import type {
  ChatMessage,
  InvalidToolCall,
  ModelReply,
  SendOptions,
  ToolCall,
} from '../models/types.ts';
import type { DraftedPlan } from '../tools/definitions/make-plan.ts';
import { executeToolBatch } from '../tools/tool-batch.ts';
import type { CallContext, CallResult, ToolPipeline } from '../tools/tool-pipeline.ts';
import type { SkillRunAgents } from '../tools/types.ts';
import { callIdOf } from './call-id.ts';
import type { PromptParts } from './context/conversation-fitter.ts';
import { isPlanningCall, planIn, replacedByPlan } from './first-call-plan.ts';
import { progressEvents } from './model-progress.ts';
import { REPETITION_HINT, RepetitionGuard } from './repetition-guard.ts';
import { runSources } from './run-sources.ts';
import type { Answer } from './stored-answer.ts';
import { LoadedTools, type LoadParts } from './tool-families.ts';
import {
  assistantMessage,
  type ConversationPart,
  evidenceOf,
  messagePart,
  readAnswer,
  readRound,
  roundPart,
} from './transcript.ts';
import type { AgentContext, AgentOutcome, MadeCall } from './types.ts';
import { usageEvent } from './usage-event.ts';

export interface ExecutorTools extends LoadParts {
  readonly pipeline: ToolPipeline;
  readonly skillAgents: SkillRunAgents | null;
}

/** Sent once to a model that returned neither text nor a call. */
const EMPTY_ANSWER_NUDGE = 'Your answer was empty. Go on, or say what the result is.';

const STOPPED = 'You stopped this at a checkpoint. No more calls were made after that.';

/** A finished round. What it gave is in the journal, at the step of this number. */
export interface Round {
  readonly number: number;
}

type Next = 'act' | 'reason' | 'complete';

/**
 * One run of the executor: the conversation and its counters. `runRound` has effects and returns their
 * results; `applyRound` only updates the state. After a crash, a resumed run applies the stored rounds
 * again and is back where it was. The conversation only grows at its end, so that servers keep their
 * prompt cache.
 */
export class ExecutorTurn {
  readonly #context: AgentContext;
  readonly #tools: ExecutorTools;
  readonly #messages: ChatMessage[];
  readonly #guard: RepetitionGuard;
  readonly #loaded: LoadedTools;
  #answer: Answer | null = null;
  /** What the first call planned; then the turn is over. */
  #plan: DraftedPlan | null = null;
  /** The results of the current round. */
  #results: readonly CallResult[] = [];
  /** Rounds of the conversation, including those before this run. */
  #rounds: number;
  readonly #calls: MadeCall[] = [];
  /** What follows from the current answer. */
  #next: Next = 'reason';
  /** Settles when the current round is on disk; already settled for a round that was read from there. */
  #stored = settled();
  #nudged = false;

  constructor(messages: readonly ChatMessage[], context: AgentContext, tools: ExecutorTools) {
    this.#messages = [...messages];
    this.#context = context;
    this.#rounds = context.roundsBefore;
    this.#tools = tools;
    this.#guard = new RepetitionGuard(context);
    this.#loaded = new LoadedTools(messages, context, tools);
  }

  /** Gets one answer and runs its calls. Throws `ROUND_LIMIT` after too many requests. */
  async runRound(): Promise<Round> {
    this.#stored = unsettled();
    const answer = await this.#answerOfRound();
    this.#acceptAnswer(answer);
    this.#results = this.#next === 'act' ? await this.#act(answer) : [];
    return { number: this.#rounds };
  }

  /** Applies a round to the state and returns what comes next. Throws `MODEL_REPEATS_FAILURES`. */
  applyRound(number: number): Next {
    // A round that an earlier process ran is new to this one.
    if (number > this.#rounds) {
      const { journal } = this.#tools;
      const stored = readRound(journal, this.#context.runId, this.#step(number));
      this.#acceptAnswer(stored.answer);
      this.#results = stored.results;
    }
    const answer = this.#lastAnswer();
    const results = this.#results;
    if (this.#next === 'reason') return this.#next;
    this.#plan = planIn(results);
    // The conversation goes on as with a plan that was made before the agent began.
    if (this.#plan !== null) return 'complete';
    this.#push(roundPart(this.#step(), { answer, results }));
    if (this.#next === 'complete') return this.#next;
    this.#calls.push(...evidenceOf(answer, results, this.#context.evidenceChars));
    const known = stoppedAnswer(answer, results) ?? this.#answerFromFirstCalls(results);
    if (known !== null) {
      this.#answer = { content: known, reasoning: '', toolCalls: [], invalidToolCalls: [] };
      this.#push(messagePart(this.#step(), assistantMessage(this.#answer)));
      return 'complete';
    }
    this.#checkRepetition(answer, results);
    return 'reason';
  }

  /**
   * Stores the result of a round together with its events. Never throws, because the framework would
   * drop the error. A failed write aborts the run through its signal and rejects `roundStored`.
   * How far the graph is need not be on disk before the model is asked: it is stored with what follows.
   */
  commitRound(work: () => void, isResult: boolean): void {
    if (!isResult) {
      this.#context.persist(work);
      return;
    }
    try {
      this.#context.commit(work);
      this.#stored.resolve();
    } catch (error) {
      this.#stored.reject(error);
    }
  }

  /** The next round may only start once this one is on disk. Rejects with the storage error. */
  roundStored(): Promise<void> {
    return this.#stored.promise;
  }

  /**
   * The answer that an earlier process got for this round, or a new one from the model. It is on disk
   * before the first effect of its calls, because it shares the transaction of their intent.
   */
  async #answerOfRound(): Promise<Answer> {
    const { runId, resumed, persist, firstCalls = [] } = this.#context;
    const { journal } = this.#tools;
    const step = this.#step(this.#rounds + 1);
    const known = resumed ? readAnswer(journal, runId, step) : null;
    if (known !== null) return known;
    const isFirst = this.#rounds === this.#context.roundsBefore;
    const answer =
      isFirst && firstCalls.length > 0
        ? this.#withOwnIds(answerOf(firstCalls))
        : await this.#reason();
    persist(() => journal.append(runId, { step, kind: 'answer', payload: answer }));
    return answer;
  }

  async #reason(): Promise<Answer> {
    const { runId, emit, maxRounds, roundsBefore } = this.#context;
    // An interrupted answer is requested again, so a pause may interrupt it.
    const signal = AbortSignal.any([this.#context.signal, this.#context.pause]);
    signal.throwIfAborted();
    if (this.#rounds - roundsBefore >= maxRounds) throw roundLimit(maxRounds);
    // The id depends on the step alone, so a round repeated after a crash publishes nothing twice.
    const round = this.#rounds + 1;
    const onProgress = progressEvents(`${runId}-m${this.#step(round)}`, emit);
    const { reply, parts } = await this.#send({ signal, onProgress });
    emit({ ...usageEvent(reply, this.#context.model, round), parts });
    if (reply.finish === 'length') this.#failCutAnswer(reply);
    return this.#withOwnIds(reply);
  }

  #answerFromFirstCalls(results: readonly CallResult[]): string | null {
    const { firstCalls = [], answerToFirstCalls, roundsBefore } = this.#context;
    if (firstCalls.length === 0 || this.#rounds !== roundsBefore + 1) return null;
    return answerToFirstCalls?.(results) ?? null;
  }

  /** The step of a round of this branch; by default of the current one. */
  #step(round = this.#rounds): StepPath {
    return numberedStep(this.#context.branch, round);
  }

  #lastAnswer(): Answer {
    if (this.#answer === null) throw new Error('There is no answer yet');
    return this.#answer;
  }

  #acceptAnswer(answer: Answer): void {
    this.#rounds += 1;
    this.#answer = answer;
    this.#next = this.#afterAnswer(answer);
  }

  /** Sends a request that fits the window; retries once if the server counts more tokens than we do. */
  async #send(options: SendOptions): Promise<{ reply: ModelReply; parts: PromptParts }> {
    const { model, fitter } = this.#context;
    const tools = this.#loaded.schemas();
    const attempt = async (): Promise<{ reply: ModelReply; parts: PromptParts }> => {
      const { messages, parts } = await fitter.fit(this.#messages, tools);
      const ephemeralMessage = this.#context.ephemeralMessage?.() ?? null;
      const extra =
        ephemeralMessage === null
          ? {}
          : { ephemeralMessage: { role: 'user' as const, content: ephemeralMessage } };
      const reply = await model.send({ messages, tools, ...extra }, options);
      fitter.learn(reply.usage.promptTokens);
      return { reply, parts };
    };
    try {
      return await attempt();
    } catch (error) {
      if (!wasRejectedAsTooLong(error)) throw error;
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
    this.#push(messagePart(this.#step(), { role: 'user', content: EMPTY_ANSWER_NUDGE }));
    return 'reason';
  }

  /** Runs the calls of the answer. */
  async #act(answer: Answer): Promise<CallResult[]> {
    this.#context.pause.throwIfAborted();
    const calls = [...answer.toolCalls, ...answer.invalidToolCalls];
    try {
      return await this.#runCalls(calls);
    } catch (error) {
      // A call without a result would make the next turn unsendable, so a run that ends here adds one.
      if (!isGoingOnLater(error) && !isGoingOnLater(this.#context.signal.reason)) {
        this.#push(roundPart(this.#step(), { answer, results: calls.map(cancelledResult) }));
      }
      throw error;
    }
  }

  /** A plan as the first call replaces the calls after it; any later one is refused by its tool. */
  async #runCalls(calls: readonly (ToolCall | InvalidToolCall)[]): Promise<CallResult[]> {
    const { pipeline } = this.#tools;
    const { byName: tools, all: nestedTools } = this.#loaded;
    const context = this.#callContext();
    const [first, ...others] = calls;
    if (first === undefined || !isPlanningCall(first, this.#context, this.#calls)) {
      return await executeToolBatch(calls, context, { pipeline, tools, nestedTools });
    }
    const made = { ...context, mayPlan: true };
    const planned = await executeToolBatch([first], made, { pipeline, tools, nestedTools });
    if (planIn(planned) !== null) return [...planned, ...others.map(replacedByPlan)];
    return [
      ...planned,
      ...(await executeToolBatch(others, context, { pipeline, tools, nestedTools, firstIndex: 1 })),
    ];
  }

  /** The outcome of the graph that ended with this round, which an earlier process may have run. */
  complete(lastRound: number): AgentOutcome {
    while (this.#rounds < lastRound) this.applyRound(this.#rounds + 1);
    return {
      answer: this.#lastAnswer().content,
      rounds: this.#rounds,
      toolCalls: this.#calls.length,
      calls: this.#calls,
      ...(this.#plan === null ? {} : { plan: this.#plan }),
    };
  }

  /**
   * Replaces the ids of calls by ids for their position in the run. Models may repeat ids or imitate
   * ours; with these, log, approvals and ledger never confuse two calls of a task.
   */
  #withOwnIds({ content, reasoning, toolCalls, invalidToolCalls }: Answer): Answer {
    const { runId } = this.#context;
    const answer = this.#step(this.#rounds + 1);
    const named = <Call extends { readonly id: string }>(call: Call, index: number): Call => ({
      ...call,
      id: callIdOf(runId, callStep(answer, index)),
    });
    return {
      content,
      reasoning,
      toolCalls: toolCalls.map((call, i) => named(call, i)),
      invalidToolCalls: invalidToolCalls.map((call, i) => named(call, toolCalls.length + i)),
    };
  }

  #callContext(): CallContext {
    const { skillAgents, journal } = this.#tools;
    const sources = runSources(journal, this.#context);
    return {
      ...this.#context,
      ...{ agent: 'executor', answer: this.#step(), skillAgents, sources },
      modelSees: this.#context.model.profile.vision === true,
      windowTokens: this.#context.model.contextWindow,
    };
  }

  #push(part: ConversationPart): void {
    this.#messages.push(...part.messages);
    this.#loaded.note(part.messages);
    this.#context.record(part);
  }

  #checkRepetition(answer: Answer, results: readonly CallResult[]): void {
    const { toolCalls, invalidToolCalls } = answer;
    const failed = results.every((result) => result.status === 'error');
    const verdict = this.#guard.observe([...toolCalls, ...invalidToolCalls], failed);
    if (verdict === 'give_up') {
      throw new AppError(
        'MODEL_REPEATS_FAILURES',
        `${this.#context.model.ref.name} keeps making calls that fail. The task may be too hard for it: choose a larger model, or ask for a smaller step.`,
      );
    }
    if (verdict === 'hint') {
      this.#push(messagePart(this.#step(), { role: 'user', content: REPETITION_HINT }));
      this.#context.emit({
        type: 'stage',
        name: `change_strategy ${this.#step()}`,
        status: 'running',
        description: 'The model repeated the same calls and was asked to try another approach',
        agent: 'executor',
      });
    }
  }

  #failCutAnswer({ content }: ModelReply): never {
    const step = this.#step(this.#rounds + 1);
    if (content !== '') this.#push(messagePart(step, { role: 'assistant', content }));
    throw new AppError(
      'MODEL_OUTPUT_INCOMPLETE',
      'The model reached its output limit before it finished, so none of its calls was run. Ask it to continue, or to answer more briefly.',
      { details: { partial: content } },
    );
  }
}

/** An answer that consists of these calls and did not come from a model; ids are assigned later. */
function answerOf(calls: NonNullable<AgentContext['firstCalls']>): Answer {
  const toolCalls = calls.map((call) => ({ ...call, id: '' }));
  return { content: '', reasoning: '', toolCalls, invalidToolCalls: [] };
}

/** The answer after a call that the user's stop refused: the model knew of it, and did not end by itself. */
function stoppedAnswer({ content }: Answer, results: readonly CallResult[]): string | null {
  if (!results.some(({ ends }) => ends === true)) return null;
  return [content.trim(), STOPPED].filter((text) => text !== '').join('\n\n');
}

function unsettled(): PromiseWithResolvers<void> {
  const stored = Promise.withResolvers<void>();
  // Nobody awaits this if the round itself failed: avoid an unhandled rejection.
  stored.promise.catch(() => undefined);
  return stored;
}

function settled(): PromiseWithResolvers<void> {
  const stored = unsettled();
  stored.resolve();
  return stored;
}

/** Rejected by the server; an error of our own fitter is marked with `own`. */
function wasRejectedAsTooLong(error: unknown): error is AppError {
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
    `The run reached its limit of ${maxRounds} rounds. Its work is kept: ask it to continue, or raise the limit in the settings.`,
    { details: { maxRounds } },
  );
}
