import { AppError } from '#contract/errors.ts';

/** How often the text is looked at: each look takes about a millisecond. */
const EVERY_CHARS = 2_000;
/** The newest text that is looked at. */
const TAIL_CHARS = 50_000;
/** What is looked for further back, to find out after how many characters the text repeats. */
const NEEDLE_CHARS = 64;
/**
 * When a text counts as stuck: so many characters and repeats without any difference. Rules, rows of zeros and
 * blanks are honest text with short periods; placeholders and refrains have long ones and few repeats.
 */
const SHORT = { period: 20, chars: 8_000, repeats: 0 };
const LONG = { chars: 8_000, repeats: 10 };

/**
 * Watches one stream of an answer for a model that is stuck and writes the same words, sentences or paragraphs
 * without end. Only exact repetition at the end of the text counts, so that tables, code and verse pass.
 */
export class RepetitionWatch {
  #pieces: string[] = [];
  #unseen = 0;

  /** Throws `MODEL_OUTPUT_INCOMPLETE` once the text is stuck. */
  push(piece: string): void {
    this.#pieces.push(piece);
    this.#unseen += piece.length;
    if (this.#unseen < EVERY_CHARS) return;
    this.#unseen = 0;
    const tail = this.#pieces.join('').slice(-TAIL_CHARS);
    this.#pieces = [tail];
    if (isStuck(tail)) throw stuck();
  }
}

/** Whether the end of this text is one piece of text over and over. */
export function isStuck(text: string): boolean {
  if (text.length < LONG.chars) return false;
  const start = text.length - NEEDLE_CHARS;
  const before = text.lastIndexOf(text.slice(start), start - 1);
  if (before < 0) return false;
  const period = start - before;
  let at = text.length - 1;
  while (at >= period && text[at] === text[at - period]) at -= 1;
  const chars = text.length - 1 - at + period;
  const enough = period < SHORT.period ? SHORT : LONG;
  return chars >= enough.chars && chars / period >= enough.repeats;
}

function stuck(): AppError {
  return new AppError(
    'MODEL_OUTPUT_INCOMPLETE',
    'The model wrote the same text over and over, so it was stopped, and none of its calls was run. Try again, ask for less at once, or choose another model.',
  );
}
