import { AppError } from '#contract/errors.ts';
import type { RunEventDraft, RunEventOf } from '#contract/events/run-event.ts';
import type { ChatMessage, ChatModel, ToolSchema } from '../../models/types.ts';
import type { TokenEstimator } from '../../models/window/token-estimate.ts';
import { userInstructionsIn } from '../user-instructions.ts';
import {
  type FittedTurns,
  fitTurns,
  isRendered,
  readSummary,
  renderEarlier,
  userTurns,
  writeSummary,
} from './earlier.ts';
import { collectFacts } from './facts.ts';
import { ResultShortener } from './result-shortener.ts';
import { extractSummary, summarise } from './summarise.ts';
import { readUserTurn } from './user-turn.ts';
import {
  type Compression,
  USUAL_COMPRESSION,
  type WindowBudget,
  windowBudget,
} from './window-budget.ts';

/**
 * Shares of the room beside system prompt and tools: what is left in it by a summary, so that the next one is
 * many messages away, what of it a summary takes, and what the facts in that.
 */
const LEFT_SHARE = 0.6;
const SUMMARY_SHARE = 0.2;
const FACTS_SHARE = 0.1;
/** A summary of less than this share of the room frees too little to be worth one. */
const WORTH_SHARE = 0.1;
/** A summary is asked to be brief, whatever the window. */
const MOST_SUMMARY_CHARS = 4_000;
/** However little room there is. */
const SMALLEST_ROOM = 400;

/** If a server counts less than this share of a prompt of at least this size, it cut the prompt. */
const CUT = { tokens: 2_000, share: 0.4 };

export type PromptParts = NonNullable<RunEventOf<'usage'>['parts']>;

export interface FittedConversation {
  readonly messages: readonly ChatMessage[];
  readonly parts: PromptParts;
  /** Estimate for the whole request. */
  readonly tokens: number;
}

/**
 * What stands for the first `covers` messages after the system prompt, stored for later turns: the user's turns
 * and a summary. Earlier versions stored the summary alone.
 */
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
  readonly compression?: Compression;
  readonly store: (summary: StoredSummary) => void;
  readonly emit: (event: RunEventDraft) => void;
  readonly signal: AbortSignal;
}

/**
 * Fits a conversation to the context window before each request, and counts its parts. Long results are
 * shortened; past a threshold older messages are summarised, with the user's turns word for word as long as
 * the window has room for them, and then shortened to their facts. All of that is published as stages. A
 * decision about a message is final, so that each request starts with the bytes of the one before it until
 * the next summary, which leaves room for many messages.
 */
export class ConversationFitter {
  readonly #parts: ConversationFitterParts;
  readonly #shortener: ResultShortener;
  readonly #compression: Compression;
  #summary: StoredSummary | null;
  #window: number | null;
  /** The summary merged with the message after it; built once for each summary. */
  #opening: { readonly summary: StoredSummary; readonly messages: readonly ChatMessage[] } | null =
    null;
  #tokens = 0;
  /** Of those, the tokens of pictures. */
  #pictureTokens = 0;
  #hasReportedCut = false;

  constructor(parts: ConversationFitterParts) {
    this.#parts = parts;
    this.#compression = parts.compression ?? USUAL_COMPRESSION;
    this.#summary = this.#compression.enabled ? parts.stored : null;
    this.#window = parts.model.contextWindow;
    this.#shortener = new ResultShortener(parts.estimator);
  }

  /**
   * `messages` start with the system prompt and only ever grow. Throws `MODEL_CONTEXT_EXCEEDED` if even
   * the newest turn of the user does not fit, or what was said does not and nothing may be summarised.
   */
  async fit(
    messages: readonly ChatMessage[],
    tools: readonly ToolSchema[],
  ): Promise<FittedConversation> {
    this.#watchWindow();
    const { enabled } = this.#compression;
    const budget = windowBudget(this.#window, this.#compression);
    if (this.#summary !== null && this.#summary.covers > messages.length - 1) this.#summary = null;
    let view: ChatMessage[] = [];
    let tokens = 0;
    const look = (): void => {
      view = this.#view(messages, budget);
      tokens = this.#count(view, tools);
    };
    look();
    if (tokens > budget.threshold && messages.length > 2) {
      await this.#summarise(messages, this.#chooseCut(messages, { tools, budget }), tools);
      look();
    }
    while (tokens > budget.limit && enabled && this.#shortener.tighten()) {
      look();
      this.#emitStage('Shortened tool results further, because the context window is small');
    }
    if (tokens > budget.limit && enabled && !messages.slice(-1).some(isUserTurn)) {
      // Before the task would end, also the newest round becomes what is known of it.
      await this.#summarise(messages, messages.length - 1, tools);
      look();
    }
    if (tokens > budget.limit) {
      throw doesNotFit(this.#parts.model.ref.name, { tokens, window: this.#window, enabled });
    }
    this.#tokens = tokens;
    const { estimator } = this.#parts;
    this.#pictureTokens = view.reduce((sum, one) => sum + estimator.pictures(one), 0);
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
    this.#parts.estimator.learn(this.#tokens, promptTokens, this.#pictureTokens);
  }

  /** The server rejected the last request as too long; its count corrects the next estimate. */
  refused({ promptTokens, contextWindow }: Readonly<Record<string, unknown>>): void {
    if (typeof contextWindow === 'number' && contextWindow < (this.#window ?? Infinity)) {
      this.#window = contextWindow;
    }
    const counted = typeof promptTokens === 'number' ? promptTokens : this.#tokens * 1.4;
    this.#parts.estimator.learn(this.#tokens, counted, this.#pictureTokens);
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
      this.#opening = { summary, messages: opening(textOf(summary, rest), tail[0]) };
    }
    const { messages: first } = this.#opening;
    const others = tail[0]?.role === 'user' ? tail.slice(1) : tail;
    return [system, ...first, ...others.map((one) => this.#shortener.shorten(one, budget))];
  }

  #count(view: readonly ChatMessage[], tools: readonly ToolSchema[]): number {
    const { estimator } = this.#parts;
    return view.reduce((sum, one) => sum + estimator.message(one), estimator.tools(tools));
  }

  /** The first `covers` messages become a summary. */
  async #summarise(
    messages: readonly ChatMessage[],
    covers: number,
    tools: readonly ToolSchema[],
  ): Promise<void> {
    const rest = messages.slice(1);
    const already = this.#summary?.covers ?? 0;
    if (covers <= already) return;
    const compressed = rest.slice(already, covers);
    this.#emitStage(`Summarising ${compressed.length} earlier messages`, 'running');
    const before = readSummary(this.#summary?.summary ?? '');
    const written = await this.#askForSummary(before.written, compressed);
    const { estimator } = this.#parts;
    const room = this.#room(messages, tools);
    const facts = newestOf(
      [...before.facts, ...collectFacts(compressed, Infinity)],
      estimator.charsOf(room * FACTS_SHARE),
    );
    const mostChars = Math.min(
      estimator.charsOf(room * (SUMMARY_SHARE - FACTS_SHARE)),
      MOST_SUMMARY_CHARS,
    );
    const summary = writeSummary(written.slice(-mostChars), facts);
    const turns = this.#fitTurns(rest, covers, room);
    this.#summary = { covers, summary: renderEarlier(turns, summary) };
    this.#parts.store(this.#summary);
    const size = this.#window === null ? '' : ` of ${grouped(this.#window)} tokens`;
    const own = turns.shortened + turns.leftOut;
    const also = own === 0 ? '' : `, and shortened ${own} of your older messages to their facts`;
    this.#emitStage(
      `Summarised ${compressed.length} earlier messages to fit the context window${size}${also}`,
    );
  }

  #fitTurns(rest: readonly ChatMessage[], covers: number, room: number): FittedTurns {
    const { estimator } = this.#parts;
    return fitTurns(userTurns(rest.slice(0, covers)), {
      room,
      tokensOf: (text) => estimator.text(text),
      holdsNewest: !rest.slice(covers).some(isUserTurn),
    });
  }

  /** Tokens beside system prompt and tools, before anything is summarised. */
  #room(messages: readonly ChatMessage[], tools: readonly ToolSchema[]): number {
    const { threshold } = windowBudget(this.#window, this.#compression);
    return Math.max(SMALLEST_ROOM, threshold - this.#count(messages.slice(0, 1), tools));
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
   * How many messages to summarise: all but the newest few, and more if those take too much room. Never
   * separates a call from its results, and leaves at least the newest turn of the user or the newest round.
   */
  #chooseCut(
    messages: readonly ChatMessage[],
    { tools, budget }: { tools: readonly ToolSchema[]; budget: WindowBudget },
  ): number {
    const rest = messages.slice(1);
    const { estimator } = this.#parts;
    const sizes = rest.map((one) => estimator.message(this.#shortener.shorten(one, budget)));
    const room = this.#room(messages, tools);
    const turnTokens = (covers: number): number => {
      const { turns } = this.#fitTurns(rest, covers, room);
      return estimator.text(turns.map(({ text }) => text).join('\n'));
    };
    const fits = (covers: number): boolean => {
      const tail = sizes.slice(covers).reduce((sum, size) => sum + size, 0);
      return tail + turnTokens(covers) <= room * (LEFT_SHARE - SUMMARY_SHARE);
    };
    const isCut = (covers: number): boolean => rest[covers]?.role !== 'tool';
    let covers = Math.max(0, rest.length - this.#compression.keep);
    while (covers > 0 && !isCut(covers)) covers -= 1;
    const last = rest.findLastIndex(({ role }) => role !== 'tool');
    for (let next = covers; next <= last && !fits(covers); next += 1) {
      if (isCut(next)) covers = next;
    }
    const freed = sizes
      .slice(this.#summary?.covers ?? 0, covers)
      .reduce((sum, one) => sum + one, 0);
    return freed < room * WORTH_SHARE ? 0 : covers;
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
      attachments += imageTokens(message, estimator);
    }
    const [first] = view;
    const system = first === undefined ? 0 : estimator.message(first);
    const instructions = estimator.text(userInstructionsIn(first?.content ?? ''));
    return {
      system: system - instructions,
      ...(instructions === 0 ? {} : { instructions }),
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

/** The text of a stored summary; one of an earlier version lacks the user's turns. */
function textOf({ covers, summary }: StoredSummary, rest: readonly ChatMessage[]): string {
  if (isRendered(summary)) return summary;
  const turns = userTurns(rest.slice(0, covers)).map((text, i) => ({ number: i + 1, text }));
  return renderEarlier({ turns, shortened: 0, leftOut: 0 }, summary);
}

/**
 * The summary as the first message of a request. A user turn that follows is merged into it, because
 * some chat templates reject two messages of one role in a row.
 */
function opening(content: string, next: ChatMessage | undefined): ChatMessage[] {
  if (next?.role !== 'user') return [{ role: 'user', content }];
  return [{ ...next, content: `${content}\n\n${next.content}` }];
}

function isUserTurn(message: ChatMessage): boolean {
  return readUserTurn(message) !== null;
}

/** The newest of these facts that fit, each once. */
function newestOf(facts: readonly string[], maxChars: number): string[] {
  const kept = new Set<string>();
  let chars = 0;
  for (const fact of facts.toReversed()) {
    if (kept.has(fact)) continue;
    chars += fact.length + 3;
    if (chars > maxChars) break;
    kept.add(fact);
  }
  return [...kept].reverse();
}

function imageTokens(message: ChatMessage, estimator: TokenEstimator): number {
  const pictures = estimator.pictures(message);
  if (message.role !== 'user' || message.images === undefined) return pictures;
  const { images: _images, ...text } = message;
  return pictures + Math.max(0, estimator.message(message) - estimator.message(text));
}

/** 12,345. Without `Intl`, which takes some ten milliseconds to load, in the middle of a run. */
function grouped(tokens: number): string {
  return String(Math.round(tokens)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

function doesNotFit(
  model: string,
  {
    tokens,
    window,
    enabled,
  }: { readonly tokens: number; readonly window: number | null; readonly enabled: boolean },
): AppError {
  const size = window === null ? '' : ` (${grouped(window)})`;
  const what = enabled ? 'Your newest message' : 'This task';
  const remedy = enabled
    ? ''
    : ' Older messages are not summarised, because that is switched off: switch it on in the settings, under Models.';
  return new AppError(
    'MODEL_CONTEXT_EXCEEDED',
    `${what} takes about ${grouped(tokens)} tokens with what every request has and does not fit the context window of ${model}${size}.${remedy} Set a larger context window in the settings, choose a model with one, or start a new task.`,
    { details: { promptTokens: tokens, contextWindow: window, own: true } },
  );
}
