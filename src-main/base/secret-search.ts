/** From its first character to the one after its last. */
export type Range = readonly [start: number, end: number];

export interface Found {
  /** In order, without overlaps. */
  readonly ranges: readonly Range[];
  /** Up to here nothing changes, whatever follows the text. */
  readonly settled: number;
}

/** A longer run of backslashes is no escape. */
const BACKSLASHES = 8;
const HEX_PAIR = /[0-9a-f]{2}/iy;
const HEX_FOUR = /u[0-9a-f]{4}/iy;
/** What may become an escape with what follows. */
const HALF_ESCAPE = /(?:%[0-9a-f]?|\\{1,8}(?:u[0-9a-f]{0,3})?)$/i;
const ESCAPE_CHARS = 16;
/** Shorter forms of a secret stand in many texts by chance. */
export const SHORTEST_FORM = 6;
/** So many times the longest word is held at most: a text may repeat one that overlaps itself without end. */
const MOST_HELD = 16;

/**
 * Finds any of many words in one walk over a text, whatever their number (Aho and Corasick's machine, as
 * a table). A text is read as it stands, and with the escapes of JSON and of addresses undone, so that a
 * word is found that is escaped in part: all of them, and only those with which a word goes on, for what
 * stands before a word may look as if the word ended an escape (`%` before `ab12`).
 */
export class SecretSearch {
  /** The class of each UTF-16 unit: 0 for those that are in no word. */
  readonly #classes = new Uint16Array(65_536);
  #width = 1;
  /** The state after a state and a class. */
  readonly #next: Int32Array;
  /** Characters of the text that may be the beginning of a word, by state. */
  readonly #depths: Int32Array;
  readonly #longest: number;
  /** Length of the longest word that ends at a state; 0 where none does. */
  readonly #lengths: Int32Array;

  constructor(words: readonly string[]) {
    const plain = words.map(unescaped).filter(isTelling);
    const all = [...new Set([...words, ...plain])];
    for (const word of all) {
      for (let i = 0; i < word.length; i += 1) {
        const code = word.charCodeAt(i);
        if (this.#classes[code] === 0) this.#classes[code] = this.#width++;
      }
    }
    this.#longest = Math.max(0, ...all.map(({ length }) => length));
    const size = all.reduce((sum, { length }) => sum + length, 1);
    this.#next = new Int32Array(size * this.#width).fill(-1);
    this.#depths = new Int32Array(size);
    this.#lengths = new Int32Array(size);
    this.#link(this.#grow(all));
  }

  /** `ended` says that nothing follows `text`. */
  search(text: string, ended: boolean): Found {
    const asItStands = this.#walk(text);
    const isEscaped = text.includes('\\') || text.includes('%');
    const half =
      isEscaped && !ended ? (HALF_ESCAPE.exec(text.slice(-ESCAPE_CHARS))?.[0] ?? '') : '';
    const whole = text.slice(0, text.length - half.length);
    const sessions = isEscaped
      ? [asItStands, this.#walkUnescaped(whole, 'all'), this.#walkUnescaped(whole, 'going on')]
      : [asItStands];
    const ranges = merged(sessions.flatMap((walk) => walk.ranges));
    if (ended) return { ranges, settled: text.length };
    const open = Math.min(...sessions.map((walk) => walk.open), text.length - half.length);
    // A word that may be the beginning of a longer one, or that another one overlaps, is not settled.
    const first = ranges.findIndex(([, end]) => end > open);
    if (first === -1) return { ranges, settled: open };
    const settled = Math.min(open, ranges[first]?.[0] ?? open);
    if (text.length - settled <= MOST_HELD * this.#longest) {
      return { ranges: ranges.slice(0, first), settled };
    }
    const begun = ranges.filter(([start]) => start < open);
    return { ranges: begun.map(([start, end]) => [start, Math.min(end, open)]), settled: open };
  }

  #grow(words: readonly string[]): number {
    let states = 1;
    for (const word of words) {
      let state = 0;
      for (let i = 0; i < word.length; i += 1) {
        const at = state * this.#width + (this.#classes[word.charCodeAt(i)] ?? 0);
        if (this.#next[at] === -1) {
          this.#depths[states] = i + 1;
          this.#next[at] = states++;
        }
        state = this.#next[at] ?? 0;
      }
      this.#lengths[state] = word.length;
    }
    return states;
  }

  /** Where a word does not go on, the longest other one goes on that the text may be in. */
  #link(states: number): void {
    const fallbacks = new Int32Array(states);
    const queue = [0];
    for (let head = 0; head < queue.length; head += 1) {
      const state = queue[head] ?? 0;
      const fallback = fallbacks[state] ?? 0;
      if (this.#lengths[state] === 0) this.#lengths[state] = this.#lengths[fallback] ?? 0;
      for (let letter = 0; letter < this.#width; letter += 1) {
        const at = state * this.#width + letter;
        const other = state === 0 ? 0 : (this.#next[fallback * this.#width + letter] ?? 0);
        const child = this.#next[at] ?? -1;
        if (child === -1) this.#next[at] = other;
        else {
          fallbacks[child] = other;
          queue.push(child);
        }
      }
    }
  }

  #step(state: number, code: number): number {
    return this.#next[state * this.#width + (this.#classes[code] ?? 0)] ?? 0;
  }

  /** Whether the word that the text may be in has this character next. */
  #goesOn(state: number, code: number): boolean {
    const depth = this.#depths[state] ?? 0;
    return depth > 0 && this.#depths[this.#step(state, code)] === depth + 1;
  }

  /** `open` is where a word begins that the end of the text cuts. */
  #walk(text: string): { ranges: Range[]; open: number } {
    const ranges: Range[] = [];
    let state = 0;
    for (let i = 0; i < text.length; i += 1) {
      state = this.#step(state, text.charCodeAt(i));
      const length = this.#lengths[state] ?? 0;
      if (length > 0) ranges.push([i + 1 - length, i + 1]);
    }
    return { ranges, open: text.length - (this.#depths[state] ?? 0) };
  }

  #walkUnescaped(text: string, undone: 'all' | 'going on'): { ranges: Range[]; open: number } {
    const ranges: Range[] = [];
    /** Where each character of the text without escapes stands in the one with them. */
    const places: number[] = [];
    let state = 0;
    for (let at = 0; at < text.length; ) {
      let { code, end } = characterAt(text, at);
      if (undone === 'going on' && end > at + 1 && !this.#goesOn(state, code)) {
        code = text.charCodeAt(at);
        end = at + 1;
      }
      places.push(at);
      at = end;
      state = this.#step(state, code);
      const length = this.#lengths[state] ?? 0;
      if (length > 0) ranges.push([places[places.length - length] ?? 0, at]);
    }
    const depth = this.#depths[state] ?? 0;
    return { ranges, open: depth === 0 ? text.length : (places.at(-depth) ?? 0) };
  }
}

function isTelling(form: string): boolean {
  return form.length >= SHORTEST_FORM && new Set(form).size > 1;
}

/** `text` as it is read where escapes do not count. */
function unescaped(text: string): string {
  let plain = '';
  for (let at = 0; at < text.length; ) {
    const { code, end } = characterAt(text, at);
    plain += String.fromCharCode(code);
    at = end;
  }
  return plain;
}

const BACKSLASH = 0x5c;
const PERCENT = 0x25;

/** The character at `at` with its escape undone, in JSON at any depth, and where the next one is. */
function characterAt(text: string, at: number): { code: number; end: number } {
  const code = text.charCodeAt(at);
  if (code === PERCENT) {
    const hex = matchAt(HEX_PAIR, text, at + 1);
    if (hex !== null) return { code: Number.parseInt(hex, 16), end: at + 3 };
  }
  if (code !== BACKSLASH) return { code, end: at + 1 };
  let end = at + 1;
  while (end - at < BACKSLASHES && text.charCodeAt(end) === BACKSLASH) end += 1;
  const hex = matchAt(HEX_FOUR, text, end);
  if (hex !== null) return { code: Number.parseInt(hex.slice(1), 16), end: end + hex.length };
  const next = text.charAt(end);
  return next === '"' || next === '/'
    ? { code: text.charCodeAt(end), end: end + 1 }
    : { code: BACKSLASH, end };
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function merged(ranges: Range[]): Range[] {
  ranges.sort((a, b) => a[0] - b[0]);
  const kept: Range[] = [];
  for (const range of ranges) {
    const last = kept.at(-1);
    if (last === undefined || range[0] >= last[1]) kept.push(range);
    else kept[kept.length - 1] = [last[0], Math.max(last[1], range[1])];
  }
  return kept;
}
