import { ASCII_BYTES, OTHER_BYTES, roughTokens } from '#contract/rough-tokens.ts';
import type { PictureSize } from '../pictures/picture-rules.ts';
import { picturesOf } from '../pictures/with-pictures.ts';
import type { ChatMessage, ToolSchema } from '../types.ts';

/** Tokens that chat templates add to each message. */
const PER_MESSAGE = 8;
const PER_TOOL = 16;
/** An image of unknown size. */
const PER_IMAGE = 1_024;
/** How far measured counts may correct the estimate, and a safety margin. */
const CORRECTION = { least: 0.6, most: 3, margin: 1.08 };

/**
 * Estimates tokens without a tokenizer, so nothing has to be downloaded. The counts that the server reports
 * correct the estimate. Errs upwards. Pictures are counted by the model's rule, which needs no correction.
 */
export class TokenEstimator {
  #correction: number;
  #last: { readonly estimate: number; readonly counted: number } | null = null;
  readonly #known = new WeakMap<object, number>();
  readonly #ofPicture: (size: PictureSize) => number;

  /**
   * `bytesPerToken` is an earlier measurement of this model; null without one. `ofPicture` counts the tokens of a
   * picture; none for a model that is sent none.
   */
  constructor(
    bytesPerToken: number | null = null,
    ofPicture: (size: PictureSize) => number = () => 0,
  ) {
    this.#ofPicture = ofPicture;
    this.#correction =
      bytesPerToken === null ? 1 : clamp((ASCII_BYTES / bytesPerToken) * CORRECTION.margin);
  }

  /** The measured value; null before the first measurement. */
  get bytesPerToken(): number | null {
    return this.#last === null ? null : (ASCII_BYTES * CORRECTION.margin) / this.#correction;
  }

  message(message: ChatMessage): number {
    const text = Math.ceil(this.#raw(message, () => rawMessage(message)) * this.#correction);
    return text + this.pictures(message);
  }

  /** Tokens of the pictures that a message refers to. */
  pictures(message: ChatMessage): number {
    return picturesOf(message).reduce((sum, picture) => sum + this.#ofPicture(picture), 0);
  }

  tools(tools: readonly ToolSchema[]): number {
    const raw = this.#raw(tools, () =>
      tools.reduce((sum, tool) => sum + PER_TOOL + roughTokens(JSON.stringify(tool)), 0),
    );
    return Math.ceil(raw * this.#correction);
  }

  text(text: string): number {
    return Math.ceil(roughTokens(text) * this.#correction);
  }

  /** Characters that certainly fit into `tokens`. */
  charsOf(tokens: number): number {
    return Math.max(0, Math.floor((tokens / this.#correction) * OTHER_BYTES));
  }

  /**
   * Corrects the estimate by what the server counted for a request of `estimate` tokens, of which `pictures` are
   * those of pictures.
   */
  learn(estimated: number, countedInAll: number, pictures = 0): void {
    const estimate = estimated - pictures;
    const counted = countedInAll - pictures;
    if (estimate <= 0 || counted <= 0) return;
    const raw = estimate / this.#correction;
    const ratios = [counted / raw];
    // The next request depends most on the text added since the last one, which may be of another kind.
    const grown = this.#last === null ? 0 : raw - this.#last.estimate;
    if (this.#last !== null && grown > 200) ratios.push((counted - this.#last.counted) / grown);
    this.#last = { estimate: raw, counted };
    this.#correction = clamp(Math.max(...ratios) * CORRECTION.margin);
  }

  #raw(key: object, count: () => number): number {
    let raw = this.#known.get(key);
    if (raw === undefined) {
      raw = count();
      this.#known.set(key, raw);
    }
    return raw;
  }
}

function rawMessage(message: ChatMessage): number {
  let tokens = PER_MESSAGE + roughTokens(message.content);
  if (message.role === 'user') tokens += (message.images?.length ?? 0) * PER_IMAGE;
  if (message.role === 'assistant') {
    tokens += roughTokens(message.reasoning ?? '');
    for (const call of message.toolCalls ?? [])
      tokens += PER_MESSAGE + roughTokens(JSON.stringify(call));
  }
  return tokens;
}

function clamp(correction: number): number {
  return Math.min(CORRECTION.most, Math.max(CORRECTION.least, correction));
}
