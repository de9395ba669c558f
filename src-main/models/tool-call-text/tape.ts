import { Occurrences } from './occurrences.ts';

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

/** Where a mark was found, and which. */
interface Hit {
  readonly at: number;
  readonly needle: string | null;
}

const NOTHING: Part = { text: '', start: 0 };
const NO_HIT: Hit = { at: Number.POSITIVE_INFINITY, needle: null };

/**
 * The answer as it arrives, with a reading position that can be set back. Readers that fail set it
 * back, so no place is searched again for each reader: what was searched is remembered, and chunks that
 * are kept are joined into few and long parts.
 */
export class Tape {
  readonly #occurrences = new Map<string, Occurrences>();
  #parts: Part[] = [];
  #current = NOTHING;
  #index = 0;
  #length = 0;
  #position = 0;
  #consumed = 0;
  #ended = false;
  #cut = false;

  /** Code units from the start of the answer. May be set to anything not yet forgotten. */
  get position(): number {
    return this.#position;
  }

  set position(to: number) {
    if (to > this.#position) this.#consumed += to - this.#position;
    this.#position = to;
  }

  /**
   * Units that were read so far, those that were read twice counted twice; what a search passes over
   * is not. The same for the same text, however it is cut into chunks.
   */
  get consumed(): number {
    return this.#consumed;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The answer was stopped by a limit: what is open at its end was not meant to end there. */
  get cut(): boolean {
    return this.#cut;
  }

  get atEnd(): boolean {
    return this.#ended && this.#position >= this.#length;
  }

  /** Units that have arrived. */
  get length(): number {
    return this.#length;
  }

  /** The first unit that is not forgotten. */
  get kept(): number {
    return this.#parts[0]?.start ?? this.#length;
  }

  append(text: string): void {
    if (text === '') return;
    let part: Part = { text, start: this.#length };
    this.#length += text.length;
    // Neighbours of about one size become one: few parts, and no unit is copied often.
    for (let last = this.#parts.at(-1); last !== undefined; last = this.#parts.at(-1)) {
      if (last.text.length > 2 * part.text.length) break;
      this.#parts.pop();
      this.#current = NOTHING;
      part = { text: last.text + part.text, start: last.start };
    }
    this.#parts.push(part);
  }

  end(cut: boolean): void {
    this.#ended = true;
    this.#cut = cut;
  }

  /** Drops what lies before the position. */
  forget(): void {
    if (this.#position >= this.#length) {
      this.#parts = [];
      this.#current = NOTHING;
    } else if (this.#locate(this.#position) && this.#index > 0) {
      this.#parts = this.#parts.slice(this.#index);
      this.#index = 0;
    }
  }

  /** What was read of a text that was taken out. */
  walk(units: number): void {
    this.#consumed += units;
  }

  /** The code unit `ahead` of the position, or -1 when it has not arrived. */
  code(ahead = 0): number {
    const at = this.#position + ahead;
    if (at >= this.#length) return -1;
    const { text, start } = this.#current;
    if (at >= start && at < start + text.length) return text.charCodeAt(at - start);
    return this.#locate(at) ? this.#current.text.charCodeAt(at - this.#current.start) : -1;
  }

  /** What has arrived in one piece from the position on; empty when nothing has. */
  rest(): string {
    if (this.#position >= this.#length || !this.#locate(this.#position)) return '';
    const { text, start } = this.#current;
    return this.#position === start ? text : text.slice(this.#position - start);
  }

  slice(from: number, to: number = this.#position): string {
    if (from >= to || !this.#locate(from)) return '';
    const first = this.#index;
    const { start } = this.#current;
    let { text } = this.#current;
    let last = first;
    for (; start + text.length < to && last + 1 < this.#parts.length; last += 1) {
      text += this.#parts[last + 1]?.text ?? '';
    }
    // Joined text that covers most of its parts is kept: a reader that goes in steps asks for it again.
    if (last > first && (to - from) * 2 > text.length) {
      this.#parts.splice(first, last - first + 1, { text, start });
      this.#current = { text, start };
    }
    return text.slice(from - start, to - start);
  }

  /** The first place from `from` on where all of `needle` has arrived; -1 without one. */
  indexOf(needle: string, from: number): number {
    if (from >= this.#length || !this.#locate(from)) return -1;
    for (let index = this.#index; index < this.#parts.length; index += 1) {
      const { text, start } = this.#parts[index] ?? NOTHING;
      const within = text.indexOf(needle, Math.max(0, from - start));
      if (within >= 0) return start + within;
      const end = start + text.length;
      const seam = Math.max(from, start, end - needle.length + 1);
      const across = this.#seam(index, seam, end + needle.length - 1).indexOf(needle);
      if (across >= 0) return seam + across;
    }
    return -1;
  }

  /** Waits until something is ahead of the position; false at the end of the answer. */
  *more(): Reader<boolean> {
    while (this.#position >= this.#length) {
      if (this.#ended) return false;
      yield;
    }
    return true;
  }

  /** The code unit `ahead` of the position, waiting for it; -1 at the end of the answer. */
  *peek(ahead = 0): Reader<number> {
    while (this.#position + ahead >= this.#length) {
      if (this.#ended) return -1;
      yield;
    }
    return this.code(ahead);
  }

  /** Whether `literal` comes `ahead` of the position; undefined while only a beginning of it has arrived. */
  has(literal: string, ahead = 0): boolean | undefined {
    const within = this.#position + ahead - this.#current.start;
    if (within >= 0 && within + literal.length <= this.#current.text.length) {
      return this.#current.text.startsWith(literal, within);
    }
    for (let index = 0; index < literal.length; index += 1) {
      const code = this.code(ahead + index);
      if (code < 0) return this.#ended ? false : undefined;
      if (code !== literal.charCodeAt(index)) return false;
    }
    return true;
  }

  /** Whether `literal` comes next. Waits only while what came is a beginning of it. */
  *comes(literal: string): Reader<boolean> {
    for (;;) {
      const has = this.has(literal);
      if (has !== undefined) return has;
      yield;
    }
  }

  /** Moves past `literal` if it comes next. */
  *take(literal: string): Reader<boolean> {
    if (!(this.has(literal) ?? (yield* this.comes(literal)))) return false;
    this.position += literal.length;
    return true;
  }

  *takeAny(literals: readonly string[]): Reader<string | null> {
    for (const literal of literals) {
      if (!(this.has(literal) ?? (yield* this.comes(literal)))) continue;
      this.position += literal.length;
      return literal;
    }
    return null;
  }

  /** Moves past white space, and past the units in `others`. */
  *skipSpace(others = ''): Reader<void> {
    for (;;) {
      let code = this.code();
      while (code >= 0 && (isSpace(code) || others.includes(String.fromCharCode(code)))) {
        this.position += 1;
        code = this.code();
      }
      if (code >= 0 || this.#ended) return;
      yield;
    }
  }

  /**
   * Moves to the first of `needles` and names it; to the end of the answer, and null, without one.
   * Gives up, with null, `limit` units on. Of two that begin at one place the first counts.
   */
  *until(needles: readonly string[], limit = Number.POSITIVE_INFINITY): Reader<string | null> {
    const last = this.#position + limit;
    for (let from = this.#position; ; ) {
      const hit = this.#first(needles, from, last);
      const open = this.#ended ? Number.POSITIVE_INFINITY : this.#open(needles, from, hit);
      if (hit.needle !== null && open > hit.at) {
        this.#position = hit.at;
        return hit.needle;
      }
      if (hit.needle === null && (this.#ended || (this.#length > last && open > last))) {
        this.#position = Math.min(last + 1, this.#length);
        return null;
      }
      from = Math.min(open, this.#length);
      yield;
    }
  }

  /** Like `until`, handing on what it passes over as it arrives. */
  *copyUntil(needles: readonly string[], sink: (text: string) => void): Reader<string | null> {
    const head = commonHead(needles);
    while (yield* this.more()) {
      const rest = this.rest();
      let at = placeOf(head, rest, 0);
      let hit: boolean | undefined = false;
      let needle = '';
      while (at < rest.length) {
        for (needle of needles) {
          hit = this.has(needle, at);
          if (hit !== false) break;
        }
        if (hit !== false) break;
        at = placeOf(head, rest, at + 1);
      }
      this.position += at;
      if (at > 0) sink(rest.slice(0, at));
      if (hit === true) return needle;
      if (hit === undefined) yield;
    }
    return null;
  }

  /** The first of `needles` that has arrived, at `last` at the latest. */
  #first(needles: readonly string[], from: number, last: number): Hit {
    // What is looked for nearby need not be remembered.
    const near =
      last === Number.POSITIVE_INFINITY ? null : this.slice(from, last + longestOf(needles));
    let first = NO_HIT;
    for (const needle of needles) {
      const within = near?.indexOf(needle) ?? -1;
      const far = near === null ? this.#next(needle, from) : Number.POSITIVE_INFINITY;
      const at = within < 0 ? far : from + within;
      if (at < first.at && at <= last) first = { at, needle };
    }
    return first;
  }

  /** Where one of `needles` that would come before `hit` may begin: it has not arrived whole. */
  #open(needles: readonly string[], from: number, hit: Hit): number {
    const start = Math.max(from, this.#length - longestOf(needles) + 1);
    for (let at = start; at < this.#length && at <= hit.at; at += 1) {
      for (const needle of needles) {
        if (at === hit.at && needle === hit.needle) break;
        if (this.has(needle, at - this.#position) === undefined) return at;
      }
    }
    return Number.POSITIVE_INFINITY;
  }

  #next(needle: string, from: number): number {
    let occurrences = this.#occurrences.get(needle);
    if (occurrences === undefined) {
      occurrences = new Occurrences(needle);
      this.#occurrences.set(needle, occurrences);
    }
    return occurrences.next(this, from);
  }

  /** The units from `from` in part `index` to `to` in a later one. */
  #seam(index: number, from: number, to: number): string {
    const { text, start } = this.#parts[index] ?? NOTHING;
    let joined = text.slice(from - start);
    for (let next = index + 1; from + joined.length < to && next < this.#parts.length; next += 1) {
      joined += this.#parts[next]?.text.slice(0, to - from - joined.length) ?? '';
    }
    return joined;
  }

  #locate(at: number): boolean {
    if (at >= this.#length) return false;
    if (at >= this.#current.start && at < this.#current.start + this.#current.text.length) {
      return true;
    }
    let low = 0;
    let high = this.#parts.length - 1;
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

function longestOf(needles: readonly string[]): number {
  let longest = 0;
  for (const { length } of needles) longest = Math.max(longest, length);
  return longest;
}

/** What all of `needles` begin with. */
function commonHead(needles: readonly string[]): string {
  const [first = ''] = needles;
  let length = first.length;
  for (const needle of needles) while (!needle.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

/** Where `head`, or a beginning of it that ends the text, stands from `from` on; the end without one. */
function placeOf(head: string, text: string, from: number): number {
  const whole = text.indexOf(head, from);
  if (whole >= 0) return whole;
  let at = Math.max(from, text.length - head.length + 1);
  while (at < text.length && !head.startsWith(text.slice(at))) at += 1;
  return at;
}
