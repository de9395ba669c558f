import { toolFacts } from '#contract/tools.ts';
import type { ChatMessage } from '../../models/types.ts';
import type { TokenEstimator } from '../../models/window/token-estimate.ts';
import type { WindowBudget } from './window-budget.ts';

const SMALLEST_RESULT = 60;

/**
 * Shortens tool results to fit the window: head and tail, with a note on what is missing and how to
 * read it. Decided once for each result, so that its bytes stay the same.
 */
export class ResultShortener {
  readonly #estimator: TokenEstimator;
  #decided = new WeakMap<ChatMessage, ChatMessage>();
  #share = 1;

  constructor(estimator: TokenEstimator) {
    this.#estimator = estimator;
  }

  shorten(message: ChatMessage, budget: WindowBudget): ChatMessage {
    if (message.role !== 'tool') return message;
    const known = this.#decided.get(message);
    if (known !== undefined) return known;
    const shows = toolFacts(message.toolName)?.category === 'browser';
    const most = shows ? Math.max(budget.result, budget.view) : budget.result;
    const tokens = Math.max(SMALLEST_RESULT, Math.floor(most * this.#share));
    const fits = this.#estimator.text(message.content) <= tokens;
    const chars = this.#estimator.charsOf(tokens);
    const shortened = fits ? message : { ...message, content: shortenText(message.content, chars) };
    this.#decided.set(message, shortened);
    return shortened;
  }

  /** Shortens every result further from now on; false if they cannot get shorter. */
  tighten(): boolean {
    if (this.#share < 0.05) return false;
    this.#share /= 2;
    this.#decided = new WeakMap();
    return true;
  }
}

function shortenText(text: string, maxChars: number): string {
  const head = text.slice(0, Math.floor((maxChars * 2) / 3));
  const tail = text.slice(text.length - Math.floor(maxChars / 3));
  const missing = text.length - head.length - tail.length;
  if (missing <= 0) return text;
  return `${head}\n[… ${missing} characters left out to fit the window. To read them, write the output to a file and read a part of it. …]\n${tail}`;
}
