import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { isAbortError } from '../../base/abort.ts';
import { callStep, numberedStep, RUN_STEP } from '../../base/step-path.ts';
import { delimitAsData } from '../../guardrails/delimit.ts';
import { isGoingOnLater } from '../../hitl/types.ts';
import { askStructured } from '../../models/structured-answer.ts';
import type { ChatModel } from '../../models/types.ts';
import { TokenEstimator } from '../../models/window/token-estimate.ts';
import type { RunJournal } from '../../storage/types.ts';
import type { KnownTool } from '../../tools/prepare-call.ts';
import { shortenResult } from '../../tools/shorten-result.ts';
import { executeToolBatch } from '../../tools/tool-batch.ts';
import type { CallContext, CallResult, ToolPipeline } from '../../tools/tool-pipeline.ts';
import { callIdOf } from '../call-id.ts';
import { progressEvents } from '../model-progress.ts';
import type { AgentContext, MadeCall } from '../types.ts';
import { usageEvent } from '../usage-event.ts';
import { withUserInstructions } from '../user-instructions.ts';
import type { ResearchPrompts } from './research-prompts.ts';
import { type ResearchPlace, type ResearchState, writeResearch } from './research-state.ts';
import { firstSourceNumber } from './source-numbers.ts';

export interface SessionParts {
  readonly journal: RunJournal;
  readonly pipeline: ToolPipeline;
  readonly tools: ReadonlyMap<string, KnownTool>;
  readonly prompts: ResearchPrompts;
  /** Time limit for one page, in milliseconds. */
  readonly pageTimeoutMs: number;
}

/** Assumed for an unknown window: every model has this much. */
const UNKNOWN_WINDOW = 4_096;
/** Shares of the window for the prompt and for the answer; the rest leaves room to repair the answer once. */
const PROMPT_SHARE = 0.45;
const ANSWER_SHARE = 0.2;
/** Larger prompts are slower without better answers. */
const LARGEST_PROMPT = 16_000;
const LARGEST_ANSWER = 4_000;
const EVIDENCE_CHARS = 2_000;

/** Errors that mean no model is available: the run fails, unless it has found sources already. */
const NO_MODEL = new Set(['NO_MODEL', 'MODEL_NOT_FOUND', 'MODEL_SERVER_UNREACHABLE']);

/** Requests that follow what the user wrote for every task: what to look for, and what the user reads. */
const FOR_THE_USER = new Set<keyof ResearchPrompts>(['plan', 'report']);

/** A request to a model: all of `fixed`, then as much of `material` as fits, in order. */
export interface Ask<Value> {
  readonly prompt: keyof ResearchPrompts;
  readonly schema: z.ZodType<Value>;
  readonly fixed: string;
  readonly material: readonly string[];
  /** The origin of the material, which is delimited as data. */
  readonly from?: string;
  readonly phase: string;
  /** Uses the light model, for small work such as notes on a page. */
  readonly light?: boolean;
  /** Gives up when this aborts. Such a request is an extra: nothing replaces its answer in the report. */
  readonly limit?: AbortSignal;
}

/** One running research: its state, and what all phases need. */
export class ResearchSession {
  readonly context: AgentContext;
  readonly parts: SessionParts;
  readonly state: ResearchState;
  readonly calls: MadeCall[] = [];
  readonly #estimator = new TokenEstimator();
  #firstSource: number | null = null;

  constructor(context: AgentContext, parts: SessionParts, state: ResearchState) {
    this.context = context;
    this.parts = parts;
    this.state = state;
  }

  get place(): ResearchPlace {
    return { runId: this.context.runId, branch: this.context.branch };
  }

  /** Unique among all research, for the ids of what it publishes. */
  get id(): string {
    return `${this.context.runId}-${this.context.branch || 'run'}`;
  }

  /** The number of its first source. */
  get firstSource(): number {
    this.#firstSource ??= firstSourceNumber(this.parts.journal, this.context);
    return this.#firstSource;
  }

  /** Stores the state, and what `more` writes, in one transaction with every event so far. */
  commit(more?: () => void): void {
    this.context.commit(() => {
      more?.();
      writeResearch(this.parts.journal, this.place, this.state);
    });
  }

  /** The next number for a request, a round of calls or a message of this research. */
  nextRound(): number {
    this.state.lastRound += 1;
    return this.state.lastRound;
  }

  /** Throws if the run was cancelled or paused. Called between any two pieces of work. */
  checkPoint(): void {
    this.context.signal.throwIfAborted();
    this.context.pause.throwIfAborted();
  }

  stage(name: string, status: 'running' | 'completed', description: string): void {
    const { branch, emit } = this.context;
    const shown = branch === RUN_STEP ? `research_${name}` : `research_${name} ${branch}`;
    emit({ type: 'stage', name: shown, status, description, agent: 'research' });
  }

  /** Records that code replaced the model in this phase. */
  markReduced(phase: string): void {
    if (!this.state.reduced.includes(phase)) this.state.reduced.push(phase);
  }

  /**
   * A value that matches the schema, or null if the model fails or returns none: the phase then does what
   * it can without it. Emits the usage; the caller commits.
   */
  async ask<Value>(request: Ask<Value>): Promise<Value | null> {
    this.checkPoint();
    const { context } = this;
    const { limit } = request;
    const stops = limit === undefined ? [] : [limit];
    const signal = AbortSignal.any([context.signal, context.pause, ...stops]);
    try {
      const model = request.light === true ? await context.tier('flash') : context.model;
      const answer = await askStructured(
        model,
        {
          messages: [
            { role: 'system', content: this.#systemPrompt(request.prompt) },
            { role: 'user', content: this.#fit(model, request) },
          ],
          schema: request.schema,
          maxOutputTokens: answerTokens(model),
          temperature: 0,
        },
        {
          signal,
          onProgress: this.#onProgress(),
          onReply: (reply) => {
            this.state.requests += 1;
            context.emit(usageEvent(reply, model, this.nextRound()));
          },
        },
      );
      if (answer.ok) return answer.value;
    } catch (error) {
      const isRunOver = context.signal.aborted || context.pause.aborted;
      const isLate = limit?.aborted === true && !isRunOver;
      if (!isLate && !this.#canGoOnWithoutAnswer(error)) throw error;
    }
    if (limit === undefined) this.markReduced(request.phase);
    return null;
  }

  #canGoOnWithoutAnswer(error: unknown): boolean {
    const { signal, pause } = this.context;
    if (signal.aborted || pause.aborted || isAbortError(error) || isGoingOnLater(error))
      return false;
    // An answer that the guardrails blocked counts as unusable.
    if (!(error instanceof AppError) || !/^(?:NO_)?MODEL|^GUARDRAIL/.test(error.code)) return false;
    return !NO_MODEL.has(error.code) || this.state.sources.length > 0;
  }

  /** Publishes waiting and retries only: the answer itself is JSON and not meant for readers. */
  #onProgress() {
    const { runId, emit } = this.context;
    return progressEvents(`${runId}-research`, (event) => {
      if (event.type === 'stage') emit({ ...event, agent: 'research' });
    });
  }

  #systemPrompt(name: keyof ResearchPrompts): string {
    const rules = this.parts.prompts[name];
    return FOR_THE_USER.has(name) ? withUserInstructions(rules, this.context.instructions) : rules;
  }

  /** The fixed part, and as many pieces of material as the window of the model can hold. */
  #fit(model: ChatModel, { prompt, fixed, material, from, phase }: Ask<unknown>): string {
    const window = model.contextWindow ?? UNKNOWN_WINDOW;
    const budget = Math.min(LARGEST_PROMPT, Math.floor(window * PROMPT_SHARE));
    const estimate = (text: string): number => this.#estimator.text(text);
    const kept: string[] = [];
    let left = budget - estimate(this.#systemPrompt(prompt)) - estimate(fixed) - 120;
    for (const piece of material) {
      const tokens = estimate(piece) + 2;
      if (tokens > left) continue;
      left -= tokens;
      kept.push(piece);
    }
    // If even the first piece is too long, a cut piece is better than none.
    const [first] = material;
    if (kept.length === 0 && first !== undefined) {
      kept.push(first.slice(0, this.#estimator.charsOf(Math.max(64, left))));
    }
    if (kept.length === 0) return fixed;
    const source = from ?? 'the sources of this research';
    return `${delimitAsData(kept.join('\n'), { toolCallId: phase, source })}\n\n${fixed}`;
  }

  /** Characters of material that fit into one request to the light model. */
  async materialChars(prompt: keyof ResearchPrompts, fixed: string): Promise<number> {
    const model = await this.context.tier('flash');
    const window = model.contextWindow ?? UNKNOWN_WINDOW;
    const budget = Math.min(LARGEST_PROMPT / 2, Math.floor(window * PROMPT_SHARE));
    const taken = this.#estimator.text(this.#systemPrompt(prompt)) + this.#estimator.text(fixed);
    return Math.max(400, this.#estimator.charsOf(budget - taken - 200));
  }

  /**
   * Runs one call through the pipeline as the `index`th of `round`. The id depends on the step alone, so a
   * call repeated after a crash is the same one in the log.
   */
  async call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    {
      round,
      index,
      signal,
    }: { readonly round: number; readonly index: number; readonly signal?: AbortSignal },
  ): Promise<CallResult> {
    const { pipeline, tools } = this.parts;
    const answer = numberedStep(this.context.branch, round);
    const id = callIdOf(this.context.runId, callStep(answer, index));
    const context: CallContext = {
      ...{ ...this.context, agent: 'research', answer, delegate: null, skillAgents: null },
      // The user allowed the pages of the research as a whole.
      secondOpinion: null,
      signal: signal ?? this.context.signal,
    };
    const [result] = await executeToolBatch([{ id, name, arguments: args }], context, {
      pipeline,
      tools,
      firstIndex: index,
    });
    if (result === undefined) throw new Error(`The call of ${name} has no result`);
    this.state.toolCalls += 1;
    const content = shortenResult(result.content, EVIDENCE_CHARS).content;
    this.calls.push({ name, arguments: args, status: result.status, content });
    return result;
  }
}

function answerTokens(model: ChatModel): number {
  const window = model.contextWindow ?? UNKNOWN_WINDOW;
  return Math.min(LARGEST_ANSWER, Math.floor(window * ANSWER_SHARE));
}

/** A list of at most `most` items. Longer lists are cut instead of rejected. */
export function shortList<Item>(item: z.ZodType<Item>, most: number): z.ZodType<Item[]> {
  return z.array(item).transform((items) => items.slice(0, most)) as unknown as z.ZodType<Item[]>;
}
