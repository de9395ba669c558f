import { triggerAt } from './harmful-scan.ts';

/** A sentence is judged at this length, even if it has not ended. */
const SENTENCE_CHARS = 400;
const ENDS = /[.!?](?=\s)|[。！？\n]/;

export interface GateParts {
  /** Whether a sentence may be shown. */
  readonly mayPass: (sentence: string) => boolean;
  /** Whether sentences with a trigger word wait for their end; otherwise they are judged after being shown. */
  readonly holds: () => boolean;
}

/**
 * Passes a text on, but from a trigger word on the rest of the sentence waits until it can be judged. After
 * a sentence that may not pass, nothing follows.
 */
export class SentenceGate {
  readonly #parts: GateParts;
  /** The current sentence, and how much of it was passed on. */
  #sentence = '';
  #given = 0;
  #closed = false;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /** Takes whole words, so that no trigger word is split. */
  push(piece: string): string {
    if (this.#closed) return '';
    this.#sentence += piece;
    return this.#advance(false);
  }

  end(): string {
    if (this.#closed) return '';
    return this.#advance(true);
  }

  #advance(ended: boolean): string {
    let given = '';
    for (;;) {
      const end = sentenceEnd(this.#sentence, ended);
      if (end === null) break;
      const sentence = this.#sentence.slice(0, end);
      const trigger = triggerAt(sentence);
      if (trigger >= 0 && !this.#parts.mayPass(sentence)) {
        this.#closed = true;
        return given + sentence.slice(this.#given, trigger);
      }
      given += sentence.slice(this.#given);
      this.#sentence = this.#sentence.slice(end);
      this.#given = 0;
    }
    // What was passed on holds no trigger word, or nothing is withheld at all.
    const fresh = this.#sentence.slice(this.#given);
    const trigger = this.#parts.holds() ? triggerAt(fresh) : -1;
    const free = trigger < 0 ? fresh : fresh.slice(0, trigger);
    this.#given += free.length;
    return given + free;
  }
}

/** The length of the first sentence; null if it may continue. */
function sentenceEnd(text: string, ended: boolean): number | null {
  if (text === '') return null;
  // One character more, because an end is recognised by what follows it.
  const end = ENDS.exec(text.slice(0, SENTENCE_CHARS + 1));
  if (end !== null) return end.index + 1;
  if (text.length >= SENTENCE_CHARS) return SENTENCE_CHARS;
  return ended ? text.length : null;
}
