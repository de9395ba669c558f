import type { InvalidToolCall, ToolCall } from '../types.ts';
import type { Item, ParsedPiece } from './types.ts';

type Speech = 'text' | 'reasoning';

/**
 * Collects the pieces in order. White space is held until something follows it, for what separates
 * text from a call or from thinking belongs to neither.
 */
export class Outlet {
  readonly #newId: () => string;
  #pieces: ParsedPiece[] = [];
  #space = '';
  #last: Speech | 'call' | null = null;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  text(text: string): void {
    this.#speak('text', text);
  }

  reasoning(text: string): void {
    this.#speak('reasoning', text);
  }

  /** Something that is not said stands here: white space before and after it belongs to it. */
  part(): void {
    this.#space = '';
    this.#last = 'call';
  }

  items(items: readonly Item[], source: string): void {
    this.part();
    let unsaid = source;
    for (const item of items) {
      if (item.ok) {
        const call: ToolCall = { id: this.#newId(), name: item.name, arguments: item.args };
        this.#pieces.push({ kind: 'call', call });
        continue;
      }
      const { name, raw, problem } = item;
      const call: InvalidToolCall = { id: this.#newId(), name, rawArguments: raw, problem };
      this.#pieces.push({ kind: 'invalid', call, source: unsaid });
      unsaid = '';
    }
  }

  /** The answer is over: white space that ends a text is part of it. */
  finish(): void {
    if (this.#space !== '' && (this.#last === 'text' || this.#last === null)) {
      this.#add('text', this.#space);
    }
    this.#space = '';
  }

  drain(): ParsedPiece[] {
    const pieces = this.#pieces;
    if (pieces.length > 0) this.#pieces = [];
    return pieces;
  }

  #speak(kind: Speech, text: string): void {
    const body = text.trimEnd();
    if (body === '') {
      this.#space += text;
      return;
    }
    // White space that came before the very first word of an answer is kept with it.
    const goesOn = this.#last === kind || (this.#last === null && kind === 'text');
    const said = goesOn ? this.#space + body : body.trimStart();
    this.#space = text.slice(body.length);
    this.#last = kind;
    this.#add(kind, said);
  }

  #add(kind: Speech, said: string): void {
    const previous = this.#pieces.at(-1);
    if (previous?.kind === kind) {
      this.#pieces[this.#pieces.length - 1] = { kind, text: previous.text + said };
    } else {
      this.#pieces.push({ kind, text: said });
    }
  }
}
