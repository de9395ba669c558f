/**
 * A step of reading that may have to wait: it yields when what has arrived is not enough, and is
 * resumed when more has. Once the tape has ended it yields no more.
 */
export type Reader<T> = Generator<undefined, T, undefined>;

/** Units of the head of a call, its name and attributes: what goes on for longer is none. */
export const LONGEST_HEAD = 1_000;

interface Part {
  readonly text: string;
  readonly start: number;
}

const NOTHING: Part = { text: '', start: 0 };

/**
 * The answer as it arrives, with a reading position that can be set back. Chunks are kept apart, so
 * that appending costs nothing however long a call is held; every search is linear over all chunks.
 */
export class Tape {
  #parts: Part[] = [];
  #current = NOTHING;
  #index = 0;
  #length = 0;
  #ended = false;
  #cut = false;

  /** Code units from the start of the answer. May be set to anything not yet forgotten. */
  position = 0;

  get ended(): boolean {
    return this.#ended;
  }

  /** The answer was stopped by a limit: what is open at its end was not meant to end there. */
  get cut(): boolean {
    return this.#cut;
  }

  get atEnd(): boolean {
    return this.#ended && this.position >= this.#length;
  }

  append(text: string): void {
    if (text === '') return;
    this.#parts.push({ text, start: this.#length });
    this.#length += text.length;
  }

  end(cut: boolean): void {
    this.#ended = true;
    this.#cut = cut;
  }

  /** Drops what lies before the position. */
  forget(): void {
    if (this.#parts.length === 0 || !this.#locate(this.position)) {
      this.#parts = [];
      this.#index = 0;
      this.#current = NOTHING;
      return;
    }
    // Moving the rest to the front pays only when it is the smaller half.
    if (this.#index * 2 > this.#parts.length) {
      this.#parts = this.#parts.slice(this.#index);
      this.#index = 0;
    }
  }

  /** The code unit `ahead` of the position, or -1 when it has not arrived. */
  code(ahead = 0): number {
    const at = this.position + ahead;
    if (at >= this.#length) return -1;
    const { text, start } = this.#current;
    if (at >= start && at < start + text.length) return text.charCodeAt(at - start);
    return this.#locate(at) ? this.#current.text.charCodeAt(at - this.#current.start) : -1;
  }

  /** What has arrived in one piece from the position on; empty when nothing has. */
  rest(): string {
    if (this.position >= this.#length || !this.#locate(this.position)) return '';
    return this.#current.text.slice(this.position - this.#current.start);
  }

  slice(from: number, to: number = this.position): string {
    if (from >= to || !this.#locate(from)) return '';
    let text = '';
    for (let index = this.#index; index < this.#parts.length; index += 1) {
      const part = this.#parts[index] ?? NOTHING;
      if (part.start >= to) break;
      text += part.text.slice(Math.max(0, from - part.start), to - part.start);
    }
    return text;
  }

  /** Waits until something is ahead of the position; false at the end of the answer. */
  *more(): Reader<boolean> {
    while (this.position >= this.#length) {
      if (this.#ended) return false;
      yield;
    }
    return true;
  }

  /** The code unit `ahead` of the position, waiting for it; -1 at the end of the answer. */
  *peek(ahead = 0): Reader<number> {
    while (this.position + ahead >= this.#length) {
      if (this.#ended) return -1;
      yield;
    }
    return this.code(ahead);
  }

  /** Whether `literal` comes next. Waits only while what came is a beginning of it. */
  *comes(literal: string): Reader<boolean> {
    for (let index = 0; index < literal.length; index += 1) {
      if ((yield* this.peek(index)) !== literal.charCodeAt(index)) return false;
    }
    return true;
  }

  /** Moves past `literal` if it comes next. */
  *take(literal: string): Reader<boolean> {
    if (!(yield* this.comes(literal))) return false;
    this.position += literal.length;
    return true;
  }

  *takeAny(literals: readonly string[]): Reader<string | null> {
    for (const literal of literals) if (yield* this.take(literal)) return literal;
    return null;
  }

  /** Moves past white space, and past the units in `others`. */
  *skipSpace(others = ''): Reader<void> {
    for (;;) {
      const code = yield* this.peek();
      if (code < 0 || !(isSpace(code) || others.includes(String.fromCharCode(code)))) return;
      this.position += 1;
    }
  }

  /**
   * Moves to the first of `needles` and names it; to the end of the answer, and null, without one.
   * Gives up, with null, somewhere past `limit` units.
   */
  *until(needles: readonly string[], limit = Number.POSITIVE_INFINITY): Reader<string | null> {
    const firsts = [...new Set(needles.map((needle) => needle.charCodeAt(0)))];
    const last = this.position + limit;
    while (this.position <= last && (yield* this.more())) {
      this.position += unitsBefore(this.rest().slice(0, last - this.position + 1), firsts);
      if (this.code() < 0) continue;
      for (const needle of needles) if (yield* this.comes(needle)) return needle;
      if (firsts.includes(this.code())) this.position += 1;
    }
    return null;
  }

  /** Like `until`, handing on what it passes over as it arrives. */
  *copyUntil(needles: readonly string[], sink: (text: string) => void): Reader<string | null> {
    const firsts = [...new Set(needles.map((needle) => needle.charCodeAt(0)))];
    while (yield* this.more()) {
      const rest = this.rest();
      const plain = unitsBefore(rest, firsts);
      if (plain > 0) {
        this.position += plain;
        sink(rest.slice(0, plain));
        continue;
      }
      for (const needle of needles) if (yield* this.comes(needle)) return needle;
      sink(rest.slice(0, 1));
      this.position += 1;
    }
    return null;
  }

  #locate(at: number): boolean {
    if (at >= this.#length) return false;
    let low = 0;
    let high = this.#parts.length - 1;
    if (at >= this.#current.start && at < this.#current.start + this.#current.text.length) {
      return true;
    }
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#parts[middle]?.start ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    this.#index = low;
    this.#current = this.#parts[low] ?? NOTHING;
    return at >= this.#current.start;
  }
}

export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000;
}

function unitsBefore(text: string, firsts: readonly number[]): number {
  const [only] = firsts;
  if (firsts.length === 1 && only !== undefined) {
    const index = text.indexOf(String.fromCharCode(only));
    return index < 0 ? text.length : index;
  }
  let index = 0;
  while (index < text.length && !firsts.includes(text.charCodeAt(index))) index += 1;
  return index;
}
