/** From the first character to the one after the last. */
export type Range = readonly [start: number, end: number];

export interface Found {
  /** In order, without overlaps. */
  readonly ranges: readonly Range[];
  /** The result up to here is final, whatever follows the text. */
  readonly settled: number;
}

/** A longer run of backslashes is not an escape. */
const MAX_BACKSLASHES = 8;
const HEX_PAIR = /[0-9a-f]{2}/iy;
const HEX_FOUR = /u[0-9a-f]{4}/iy;
/** The start of an escape that the next piece may complete. */
const HALF_ESCAPE = /(?:%[0-9a-f]?|\\{1,8}(?:u[0-9a-f]{0,3})?)$/i;
const MAX_ESCAPE_CHARS = 16;
/** Shorter forms of a secret occur in many texts by chance. */
export const SHORTEST_FORM = 6;
/** Bounds the buffer, in lengths of the longest word: a text may repeat a word that overlaps itself forever. */
const MAX_BUFFERED_WORDS = 16;

/**
 * Finds any of many words in one pass over a text, however many there are (Aho-Corasick, as a table). Up to
 * three passes: over the text verbatim, with all JSON and URL escapes decoded, and with only those decoded
 * that continue a word. So a partly escaped word is found, and a character before a word that looks like
 * the start of an escape (`%` before `ab12`) does not hide it.
 */
export class SecretSearch {
  /** The class of each UTF-16 code unit: 0 for those that no word contains. */
  readonly #classes = new Uint16Array(65_536);
  #width = 1;
  /** The transition table: the next state by state and class. */
  readonly #next: Int32Array;
  /** How many characters at the end of the text may be the start of a word, by state. */
  readonly #depths: Int32Array;
  readonly #longest: number;
  /** Length of the longest word that ends at a state; 0 where none does. */
  readonly #lengths: Int32Array;

  constructor(words: readonly string[]) {
    const plain = words.map(unescaped).filter(isDistinctive);
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
    this.#addFallbacks(this.#addWords(all));
  }

  /** `ended` says that nothing follows `text`. */
  search(text: string, ended: boolean): Found {
    const verbatim = this.#scan(text);
    const hasEscapes = text.includes('\\') || text.includes('%');
    const half =
      hasEscapes && !ended ? (HALF_ESCAPE.exec(text.slice(-MAX_ESCAPE_CHARS))?.[0] ?? '') : '';
    const whole = text.slice(0, text.length - half.length);
    const scans = hasEscapes
      ? [verbatim, this.#scanDecoded(whole, 'all'), this.#scanDecoded(whole, 'continuing')]
      : [verbatim];
    const ranges = merged(scans.flatMap((scan) => scan.ranges));
    if (ended) return { ranges, settled: text.length };
    const open = Math.min(...scans.map((scan) => scan.open), text.length - half.length);
    // A word that may be the start of a longer one, or that overlaps an open one, is not settled.
    const first = ranges.findIndex(([, end]) => end > open);
    if (first === -1) return { ranges, settled: open };
    const settled = Math.min(open, ranges[first]?.[0] ?? open);
    if (text.length - settled <= MAX_BUFFERED_WORDS * this.#longest) {
      return { ranges: ranges.slice(0, first), settled };
    }
    const started = ranges.filter(([start]) => start < open);
    return { ranges: started.map(([start, end]) => [start, Math.min(end, open)]), settled: open };
  }

  /** Builds the trie and returns its number of states. */
  #addWords(words: readonly string[]): number {
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

  /** Where a word does not continue, falls back to the longest other word that the text may be in. */
  #addFallbacks(states: number): void {
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

  /** Whether the word that the text may be in continues with this character. */
  #continues(state: number, code: number): boolean {
    const depth = this.#depths[state] ?? 0;
    return depth > 0 && this.#depths[this.#step(state, code)] === depth + 1;
  }

  /** `open` is where a word starts that the end of the text cuts off. */
  #scan(text: string): { ranges: Range[]; open: number } {
    const ranges: Range[] = [];
    let state = 0;
    for (let i = 0; i < text.length; i += 1) {
      state = this.#step(state, text.charCodeAt(i));
      const length = this.#lengths[state] ?? 0;
      if (length > 0) ranges.push([i + 1 - length, i + 1]);
    }
    return { ranges, open: text.length - (this.#depths[state] ?? 0) };
  }

  #scanDecoded(text: string, decode: 'all' | 'continuing'): { ranges: Range[]; open: number } {
    const ranges: Range[] = [];
    /** The position in `text` of each decoded character. */
    const positions: number[] = [];
    let state = 0;
    for (let at = 0; at < text.length; ) {
      let { code, end } = characterAt(text, at);
      if (decode === 'continuing' && end > at + 1 && !this.#continues(state, code)) {
        code = text.charCodeAt(at);
        end = at + 1;
      }
      positions.push(at);
      at = end;
      state = this.#step(state, code);
      const length = this.#lengths[state] ?? 0;
      if (length > 0) ranges.push([positions[positions.length - length] ?? 0, at]);
    }
    const depth = this.#depths[state] ?? 0;
    return { ranges, open: depth === 0 ? text.length : (positions.at(-depth) ?? 0) };
  }
}

function isDistinctive(form: string): boolean {
  return form.length >= SHORTEST_FORM && new Set(form).size > 1;
}

/** `text` with its escapes decoded. */
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

/** The character at `at` with its escape decoded (JSON escapes at any depth), and where the next one starts. */
function characterAt(text: string, at: number): { code: number; end: number } {
  const code = text.charCodeAt(at);
  if (code === PERCENT) {
    const hex = matchAt(HEX_PAIR, text, at + 1);
    if (hex !== null) return { code: Number.parseInt(hex, 16), end: at + 3 };
  }
  if (code !== BACKSLASH) return { code, end: at + 1 };
  let end = at + 1;
  while (end - at < MAX_BACKSLASHES && text.charCodeAt(end) === BACKSLASH) end += 1;
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
