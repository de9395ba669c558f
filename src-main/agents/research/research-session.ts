import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { isAbortError } from '../../base/abort.ts';
import { delimitAsData } from '../../guardrails/delimit.ts';
import type { InterruptBroker } from '../../hitl/types.ts';
import { isGoingOnLater } from '../../hitl/types.ts';
import { askStructured } from '../../models/structured-answer.ts';
import type { ChatModel } from '../../models/types.ts';
import { TokenEstimator } from '../../models/window/token-estimate.ts';
import type { RunStateStore } from '../../storage/types.ts';
import type { KnownTool } from '../../tools/prepare-call.ts';
import { shortenResult } from '../../tools/shorten-result.ts';
import { executeToolBatch } from '../../tools/tool-batch.ts';
import type { CallResult, ToolPipeline } from '../../tools/tool-pipeline.ts';
import { progressEvents } from '../model-progress.ts';
import { type AgentContext, type MadeCall, ROUNDS_PER_LANE } from '../types.ts';
import type { ResearchPrompts } from './research-prompts.ts';
import { type ResearchState, writeResearch } from './research-state.ts';

export interface SessionParts {
  readonly states: RunStateStore;
  readonly pipeline: ToolPipeline;
  readonly broker: InterruptBroker;
  readonly tools: ReadonlyMap<string, KnownTool>;
  readonly prompts: ResearchPrompts;
  /** Milliseconds that one page may take. */
  readonly pageTimeoutMs: number;
}

/** A window that nobody knows is taken for one that every model has. */
const UNKNOWN_WINDOW = 4_096;
/** Of the window: what is asked, and what may be answered; the rest is for one repair of the answer. */
const PROMPT_SHARE = 0.45;
const ANSWER_SHARE = 0.2;
/** More is slower and no better. */
const LARGEST_PROMPT = 16_000;
const LARGEST_ANSWER = 4_000;
const EVIDENCE_CHARS = 2_000;

/** Without these there is nobody to ask: the run fails, unless something was found already. */
const NO_MODEL = new Set(['NO_MODEL', 'MODEL_NOT_FOUND', 'MODEL_SERVER_UNREACHABLE']);

/** A question to a model: `fixed` is always there, `material` as much of it as fits, first first. */
export interface Ask<Value> {
  readonly prompt: keyof ResearchPrompts;
  readonly schema: z.ZodType<Value>;
  readonly fixed: string;
  readonly material: readonly string[];
  /** Whose words the material is; it goes between marks as data. */
  readonly from?: string;
  readonly phase: string;
  /** Small work, such as notes of a page. */
  readonly light?: boolean;
}

/** One research at work: what is known of it, and what all phases need. */
export class ResearchSession {
  readonly context: AgentContext;
  readonly parts: SessionParts;
  readonly state: ResearchState;
  readonly calls: MadeCall[] = [];
  readonly #estimator = new TokenEstimator();

  constructor(context: AgentContext, parts: SessionParts, state: ResearchState) {
    this.context = context;
    this.parts = parts;
    this.state = state;
  }

  get place(): { readonly runId: string; readonly lane: number } {
    return { runId: this.context.runId, lane: this.context.lane };
  }

  /** Stores what is known now, and what `more` writes, together with every event so far. */
  commit(more?: () => void): void {
    this.context.commit(() => {
      more?.();
      writeResearch(this.parts.states, this.place, this.state);
    });
  }

  /** The next number of this research in its run: for a request, a round of calls, a message. */
  nextRound(): number {
    this.state.lastRound += 1;
    return this.context.lane * ROUNDS_PER_LANE + this.state.lastRound;
  }

  /** A person may stop for a while between any two pieces of work. */
  checkPoint(): void {
    this.context.signal.throwIfAborted();
    this.context.pause.throwIfAborted();
  }

  stage(name: string, status: 'running' | 'completed', description: string): void {
    const { lane, emit } = this.context;
    const shown = lane === 0 ? `research_${name}` : `research_${name} ${lane}`;
    emit({ type: 'stage', name: shown, status, description, agent: 'research' });
  }

  /** Notes that code had to do what the model did not. */
  reduce(phase: string): void {
    if (!this.state.reduced.includes(phase)) this.state.reduced.push(phase);
  }

  /**
   * A value by schema, or null where the model gives none that fits or fails: the phase does what it
   * can without it. What it cost is told; the caller commits.
   */
  async ask<Value>(asked: Ask<Value>): Promise<Value | null> {
    this.checkPoint();
    const { context } = this;
    const signal = AbortSignal.any([context.signal, context.pause]);
    try {
      const model = asked.light === true ? await context.tier('flash') : context.model;
      const answer = await askStructured(
        model,
        {
          messages: [
            { role: 'system', content: this.parts.prompts[asked.prompt] },
            { role: 'user', content: this.#fit(model, asked) },
          ],
          schema: asked.schema,
          maxOutputTokens: answerTokens(model),
          temperature: 0,
        },
        {
          signal,
          onProgress: this.#onProgress(),
          onReply: (reply) => {
            this.state.requests += 1;
            context.emit({
              ...{ type: 'usage', round: this.nextRound(), prefix: reply.prefix, ...reply.usage },
              model: `${model.ref.provider}:${model.ref.name}`,
              ...(model.contextWindow === null ? {} : { contextWindow: model.contextWindow }),
            });
          },
        },
      );
      if (answer.ok) return answer.value;
    } catch (error) {
      if (!this.#mayGoOnWithout(error)) throw error;
    }
    this.reduce(asked.phase);
    return null;
  }

  #mayGoOnWithout(error: unknown): boolean {
    const { signal, pause } = this.context;
    if (signal.aborted || pause.aborted || isAbortError(error) || isGoingOnLater(error))
      return false;
    // An answer that the guardrails stopped is one that cannot be used.
    if (!(error instanceof AppError) || !/^(?:NO_)?MODEL|^GUARDRAIL/.test(error.code)) return false;
    return !NO_MODEL.has(error.code) || this.state.sources.length > 0;
  }

  /** How a model is doing while it is waited for; its words are JSON, and for nobody to read. */
  #onProgress() {
    const { runId, emit } = this.context;
    return progressEvents(`${runId}-research`, (event) => {
      if (event.type === 'stage') emit({ ...event, agent: 'research' });
    });
  }

  /** The fixed part and as many pieces of material as the window of the model holds. */
  #fit(model: ChatModel, { prompt, fixed, material, from, phase }: Ask<unknown>): string {
    const window = model.contextWindow ?? UNKNOWN_WINDOW;
    const budget = Math.min(LARGEST_PROMPT, Math.floor(window * PROMPT_SHARE));
    const estimate = (text: string): number => this.#estimator.text(text);
    const kept: string[] = [];
    let left = budget - estimate(this.parts.prompts[prompt]) - estimate(fixed) - 120;
    for (const piece of material) {
      const tokens = estimate(piece) + 2;
      if (tokens > left) continue;
      left -= tokens;
      kept.push(piece);
    }
    // One piece that is too long by itself is better cut than left out.
    const [first] = material;
    if (kept.length === 0 && first !== undefined) {
      kept.push(first.slice(0, this.#estimator.charsOf(Math.max(64, left))));
    }
    if (kept.length === 0) return fixed;
    const source = from ?? 'the sources of this research';
    return `${delimitAsData(kept.join('\n'), { toolCallId: phase, source })}\n\n${fixed}`;
  }

  /** Characters of other people's text that fit into one question to the light model. */
  async materialChars(prompt: keyof ResearchPrompts, fixed: string): Promise<number> {
    const model = await this.context.tier('flash');
    const window = model.contextWindow ?? UNKNOWN_WINDOW;
    const budget = Math.min(LARGEST_PROMPT / 2, Math.floor(window * PROMPT_SHARE));
    const taken = this.#estimator.text(this.parts.prompts[prompt]) + this.#estimator.text(fixed);
    return Math.max(400, this.#estimator.charsOf(budget - taken - 200));
  }

  /**
   * Runs one call through the pipeline as the `index`th of `round`. Its id follows from its place, so
   * that a call that is made again after a crash is the same to the log.
   */
  async call(
    name: string,
    given: Readonly<Record<string, unknown>>,
    { round, index, signal }: { round: number; index: number; signal?: AbortSignal },
  ): Promise<CallResult> {
    const { runId, threadId, approve, sandbox, egress, taint } = this.context;
    const { pause, emit, persist, commit, lane } = this.context;
    const { pipeline, tools } = this.parts;
    const broker = this.context.broker ?? this.parts.broker;
    const id = `${runId}-l${lane}-r${round}-c${index}`;
    const [result] = await executeToolBatch(
      [{ id, name, arguments: given }],
      {
        ...{ runId, threadId, approve, sandbox, egress, taint, pause, emit, persist, commit },
        ...{ broker, round, agent: 'research', delegate: null, skillAgents: null },
        signal: signal ?? this.context.signal,
      },
      { pipeline, tools },
    );
    if (result === undefined) throw new Error(`The call of ${name} has no result`);
    this.state.toolCalls += 1;
    const content = shortenResult(result.content, EVIDENCE_CHARS).content;
    this.calls.push({ name, arguments: given, status: result.status, content });
    return result;
  }
}

function answerTokens(model: ChatModel): number {
  const window = model.contextWindow ?? UNKNOWN_WINDOW;
  return Math.min(LARGEST_ANSWER, Math.floor(window * ANSWER_SHARE));
}

/** A list of a model's: `most` of its items, longer ones cut off rather than refused. */
export function shortList<Item>(item: z.ZodType<Item>, most: number): z.ZodType<Item[]> {
  return z.array(item).transform((items) => items.slice(0, most)) as unknown as z.ZodType<Item[]>;
}
