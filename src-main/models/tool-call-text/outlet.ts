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
  /** What was said last, in parts that are put together once. */
  #said: string[] = [];
  #saidAs: Speech = 'text';
  #space = '';
  #spoke = false;
  #last: Speech | 'call' | null = null;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Whether anything but calls and white space came out. */
  get spoke(): boolean {
    return this.#spoke;
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
    if (items.length > 0) this.#flush();
    let unsaid = source;
    for (const item of items) {
      if (item.ok) {
        const call: ToolCall = { id: this.#newId(), name: item.name, arguments: item.args };
        this.#pieces.push({ kind: 'call', call });
        continue;
      }
      this.#spoke = true;
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
    this.#flush();
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
    this.#spoke = true;
    this.#add(kind, said);
  }

  #add(kind: Speech, said: string): void {
    if (kind !== this.#saidAs) this.#flush();
    this.#saidAs = kind;
    this.#said.push(said);
  }

  #flush(): void {
    if (this.#said.length === 0) return;
    this.#pieces.push({ kind: this.#saidAs, text: this.#said.join('') });
    this.#said = [];
  }
}
