import { AppError } from '#contract/errors.ts';
import type { RunEventDraft, RunEventOf } from '#contract/events/run-event.ts';
import type { ChatMessage, ChatModel, ToolSchema } from '../../models/types.ts';
import type { TokenEstimator } from '../../models/window/token-estimate.ts';
import { type Earlier, renderEarlier, userTurns } from './earlier.ts';
import { collectFacts } from './facts.ts';
import { ResultShortener } from './result-shortener.ts';
import { extractSummary, summarise } from './summarise.ts';
import { type WindowBudget, windowBudget } from './window-budget.ts';

/** The newest messages, which stay whole in a summary if the window can hold them. */
const KEPT_MESSAGES = 10;
/** Share of the threshold that the facts of a summary may take. */
const FACTS_SHARE = 0.1;

/** If a server counts less than this share of a prompt of at least this size, it cut the prompt. */
const CUT = { tokens: 2_000, share: 0.4 };

export type PromptParts = NonNullable<RunEventOf<'usage'>['parts']>;

export interface FittedConversation {
  readonly messages: readonly ChatMessage[];
  readonly parts: PromptParts;
  /** Estimate for the whole request. */
  readonly tokens: number;
}

/** A summary of the first `covers` messages after the system prompt, stored for later turns. */
export interface StoredSummary {
  readonly covers: number;
  readonly summary: string;
}

export interface ConversationFitterParts {
  /** Its window is read before each request: a server may turn out to offer less than requested. */
  readonly model: Pick<ChatModel, 'ref' | 'contextWindow'>;
  readonly estimator: TokenEstimator;
  /** The model that summarises, opened on first use; null for none. */
  readonly openSummariser: (() => Promise<ChatModel>) | null;
  readonly stored: StoredSummary | null;
  readonly store: (summary: StoredSummary) => void;
  readonly emit: (event: RunEventDraft) => void;
  readonly signal: AbortSignal;
}

/**
 * Fits a conversation to the context window before each request, and counts its parts. Long results are
 * shortened; past a threshold older messages are summarised, with the user's turns kept word for word.
 * Both are published as stages. A decision about a message is final, so that each request starts with the
 * bytes of the one before it until the next summary.
 */
export class ConversationFitter {
  readonly #parts: ConversationFitterParts;
  readonly #shortener: ResultShortener;
  #summary: StoredSummary | null;
  #window: number | null;
  /** The summary merged with the message after it; built once for each summary. */
  #opening: { readonly summary: StoredSummary; readonly messages: readonly ChatMessage[] } | null =
    null;
  #tokens = 0;
  #hasReportedCut = false;

  constructor(parts: ConversationFitterParts) {
    this.#parts = parts;
    this.#summary = parts.stored;
    this.#window = parts.model.contextWindow;
    this.#shortener = new ResultShortener(parts.estimator);
  }

  /**
   * `messages` start with the system prompt and only ever grow. Throws `MODEL_CONTEXT_EXCEEDED` if even
   * the user's own turns do not fit.
   */
  async fit(
    messages: readonly ChatMessage[],
    tools: readonly ToolSchema[],
  ): Promise<FittedConversation> {
    this.#watchWindow();
    const budget = windowBudget(this.#window);
    if (this.#summary !== null && this.#summary.covers > messages.length - 2) this.#summary = null;
    let view = this.#view(messages, budget);
    let tokens = this.#count(view, tools);
    if (tokens > budget.threshold && messages.length > 2) {
      await this.#summarise(messages, { tools, budget });
      view = this.#view(messages, budget);
      tokens = this.#count(view, tools);
    }
    while (tokens > budget.limit && this.#shortener.tighten()) {
      view = this.#view(messages, budget);
      tokens = this.#count(view, tools);
      this.#emitStage('Shortened tool results further, because the context window is small');
    }
    if (tokens > budget.limit) throw doesNotFit(this.#parts.model.ref.name, tokens, this.#window);
    this.#tokens = tokens;
    return { messages: view, tokens, parts: this.#partsOf(view, tools, budget) };
  }

  /**
   * Learns from what the server counted for the last request. Far less than we sent means that it cut
   * the prompt, as old servers silently do: that is reported once, and the estimate ignores it.
   */
  learn(promptTokens: number | undefined): void {
    if (promptTokens === undefined) return;
    if (this.#tokens > CUT.tokens && promptTokens < this.#tokens * CUT.share) {
      // A server that cuts one prompt cuts every later one: one report is enough.
      if (this.#hasReportedCut) return;
      this.#hasReportedCut = true;
      this.#emitStage(
        `The server read ${grouped(promptTokens)} of about ${grouped(this.#tokens)} tokens: it seems to cut long prompts, so the model may not see earlier messages`,
      );
      return;
    }
    this.#parts.estimator.learn(this.#tokens, promptTokens);
  }

  /** The server rejected the last request as too long; its count corrects the next estimate. */
  refused({ promptTokens, contextWindow }: Readonly<Record<string, unknown>>): void {
    if (typeof contextWindow === 'number' && contextWindow < (this.#window ?? Infinity)) {
      this.#window = contextWindow;
    }
    const counted = typeof promptTokens === 'number' ? promptTokens : this.#tokens * 1.4;
    this.#parts.estimator.learn(this.#tokens, counted);
    this.#emitStage('The server rejected the request as too long; shortening it');
  }

  #watchWindow(): void {
    const { contextWindow } = this.#parts.model;
    if (contextWindow === null || contextWindow >= (this.#window ?? Infinity)) return;
    if (this.#window !== null) {
      this.#emitStage(
        `The server offers a context window of ${grouped(contextWindow)} tokens instead of the requested ${grouped(this.#window)}`,
      );
    }
    this.#window = contextWindow;
  }

  /** The messages of the next request. */
  #view(messages: readonly ChatMessage[], budget: WindowBudget): ChatMessage[] {
    const [system, ...rest] = messages;
    if (system === undefined) return [];
    const summary = this.#summary;
    if (summary === null)
      return [system, ...rest.map((one) => this.#shortener.shorten(one, budget))];
    const tail = rest.slice(summary.covers);
    if (this.#opening?.summary !== summary) {
      const turns = userTurns(rest.slice(0, summary.covers));
      this.#opening = { summary, messages: opening({ turns, summary: summary.summary }, tail[0]) };
    }
    const { messages: first } = this.#opening;
    const others = tail[0]?.role === 'user' ? tail.slice(1) : tail;
    return [system, ...first, ...others.map((one) => this.#shortener.shorten(one, budget))];
  }

  #count(view: readonly ChatMessage[], tools: readonly ToolSchema[]): number {
    const { estimator } = this.#parts;
    return view.reduce((sum, one) => sum + estimator.message(one), estimator.tools(tools));
  }

  async #summarise(
    messages: readonly ChatMessage[],
    { tools, budget }: { tools: readonly ToolSchema[]; budget: WindowBudget },
  ): Promise<void> {
    const rest = messages.slice(1);
    const already = this.#summary?.covers ?? 0;
    const covers = this.#chooseCut(messages, { tools, budget });
    if (covers <= already) return;
    const compressed = rest.slice(already, covers);
    this.#emitStage(`Summarising ${compressed.length} earlier messages`, 'running');
    const before = this.#summary?.summary ?? '';
    const written = await this.#askForSummary(before, compressed);
    const { estimator } = this.#parts;
    const chars = estimator.charsOf(budget.threshold * FACTS_SHARE);
    const facts = collectFacts(compressed, chars);
    const known = `${written}\n${before}`;
    const missing = facts.filter((fact) => !known.includes(fact));
    const parts = [written.slice(-chars * 2)];
    if (missing.length > 0) parts.push(`Files, addresses and figures: ${missing.join(' · ')}`);
    this.#summary = { covers, summary: parts.join('\n').trim() };
    this.#parts.store(this.#summary);
    const size = this.#window === null ? '' : ` of ${grouped(this.#window)} tokens`;
    this.#emitStage(
      `Summarised ${compressed.length} earlier messages to fit the context window${size}`,
    );
  }

  async #askForSummary(before: string, messages: readonly ChatMessage[]): Promise<string> {
    const { openSummariser, signal } = this.#parts;
    const plain = extractSummary(before, messages);
    if (openSummariser === null) return plain;
    try {
      const model = await openSummariser();
      return (await summarise(model, { before, messages, signal })) ?? plain;
    } catch (error) {
      if (signal.aborted) throw error;
      return plain;
    }
  }

  /**
   * How many messages to summarise: all but the last ten, and more only if those do not fit. Never
   * separates a call from its results, and never includes the newest turn of the user.
   */
  #chooseCut(
    messages: readonly ChatMessage[],
    { tools, budget }: { tools: readonly ToolSchema[]; budget: WindowBudget },
  ): number {
    const rest = messages.slice(1);
    const { estimator } = this.#parts;
    const sizes = rest.map((one) => estimator.message(this.#shortener.shorten(one, budget)));
    const newestTurn = rest.findLastIndex(({ role }) => role === 'user');
    const fixed = this.#count(messages.slice(0, 1), tools);
    const turnTokens = (covers: number): number =>
      estimator.text(userTurns(rest.slice(0, covers)).join('\n'));
    const fits = (covers: number): boolean => {
      const tail = sizes.slice(covers).reduce((sum, size) => sum + size, 0);
      return fixed + tail + turnTokens(covers) <= budget.ceiling;
    };
    const isCut = (covers: number): boolean => rest[covers]?.role !== 'tool';
    let covers = Math.max(0, rest.length - KEPT_MESSAGES);
    while (covers > 0 && !isCut(covers)) covers -= 1;
    const last = newestTurn < 0 ? rest.length - 1 : Math.max(covers, newestTurn);
    for (let next = covers; next <= last && !fits(covers); next += 1) {
      if (isCut(next)) covers = next;
    }
    return covers;
  }

  #partsOf(
    view: readonly ChatMessage[],
    tools: readonly ToolSchema[],
    budget: WindowBudget,
  ): PromptParts {
    const { estimator } = this.#parts;
    let spoken = 0;
    let attachments = 0;
    for (const message of view) {
      spoken += estimator.message(message);
      if (message.role === 'user') attachments += imageTokens(message, estimator);
    }
    const system = view[0] === undefined ? 0 : estimator.message(view[0]);
    return {
      system,
      tools: estimator.tools(tools),
      history: spoken - system - attachments,
      attachments,
      reserve: Number.isFinite(budget.reserve) ? budget.reserve : 0,
    };
  }

  #emitStage(description: string, status: 'running' | 'completed' = 'completed'): void {
    this.#parts.emit({ type: 'stage', name: 'context', status, description, agent: 'executor' });
  }
}

/**
 * The summary as the first message of a request. A user turn that follows is merged into it, because
 * some chat templates reject two messages of one role in a row.
 */
function opening(earlier: Earlier, next: ChatMessage | undefined): ChatMessage[] {
  const content = renderEarlier(earlier);
  if (next?.role !== 'user') return [{ role: 'user', content }];
  return [{ ...next, content: `${content}\n\n${next.content}` }];
}

function imageTokens(
  message: Extract<ChatMessage, { role: 'user' }>,
  estimator: TokenEstimator,
): number {
  if (message.images === undefined) return 0;
  const { images: _images, ...text } = message;
  return Math.max(0, estimator.message(message) - estimator.message(text));
}

/** 12,345. Without `Intl`, which takes some ten milliseconds to load, in the middle of a run. */
function grouped(tokens: number): string {
  return String(Math.round(tokens)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

function doesNotFit(model: string, tokens: number, window: number | null): AppError {
  return new AppError(
    'MODEL_CONTEXT_EXCEEDED',
    `What you wrote in this task takes about ${grouped(tokens)} tokens and does not fit the context window of ${model}${window === null ? '' : ` (${grouped(window)})`}. Set a larger context window in the settings, choose a model with one, or start a new task.`,
    { details: { promptTokens: tokens, contextWindow: window, own: true } },
  );
}
