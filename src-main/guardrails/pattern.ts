import { once } from '../base/once.ts';

/**
 * How word patterns are written here, and how many of them are matched in one pass over a text. They are
 * matched against plain text (lower case, no marks, single spaces), so they are made plain in the same
 * way. Every repetition in them is bounded, so matching takes linear time.
 */

/**
 * Lower-case letters of scripts with word boundaries, and digits. Ranges, because the engine builds `\p{L}`
 * for every pattern, which took 0.5 ms each at every start of the app.
 */
const LETTERS = 'a-z0-9\\u00df-\\u024f\\u0370-\\u052f';
/** Beginning and end of a word; `_` separates words here, as in IGNORE_ALL_RULES. */
const BEGIN = `(?<![${LETTERS}])`;
const END = `(?![${LETTERS}])`;
const BETWEEN = `[^${LETTERS}]{1,4}`;

export interface Pattern {
  /** The shorthand. */
  readonly short: string;
  /** Sticky: tried only where one of `starts` occurs. */
  readonly regex: RegExp;
  readonly starts: readonly string[];
  /** One of these is in every text that it finds something in; null where that cannot be said. */
  readonly ends: readonly string[] | null;
}

/**
 * A pattern in shorthand: `‹` and `›` stand for the ends of words, `~3` for up to three words between two
 * others, `~` for the separator of two words, `[\p{L}]` for a letter or digit, and `…40` for up to forty
 * characters of one sentence. It must begin with letters, because they index it; otherwise its first
 * use throws.
 */
export function pattern(short: string): Pattern {
  const plainShort = once(() =>
    short
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC'),
  );
  // The first scan is that of the user's first task. It needs the starts of all patterns, but only those
  // expressions whose start occurs.
  const regex = once(() => toRegex(plainShort()));
  const starts = once(() => [...new Set(headsOf(plainShort()))]);
  const ends = once(() => endsOf(plainShort()));
  return {
    short,
    get regex() {
      return regex();
    },
    get starts() {
      return starts();
    },
    get ends() {
      return ends();
    },
  };
}

function toRegex(plainShort: string): RegExp {
  const source = plainShort
    .replace(/…(\d+)/g, '[^.!?。！？]{0,$1}')
    .replace(/~(\d)/g, `(?:${BETWEEN}[${LETTERS}']{1,20}){0,$1}?${BETWEEN}`)
    .replace(/~/g, BETWEEN)
    .replaceAll('\\p{L}', LETTERS)
    .replaceAll('‹', BEGIN)
    .replaceAll('›', END);
  return new RegExp(`(?:${source})`, 'y');
}

interface Entry<Rule> {
  readonly rule: Rule;
  readonly start: string;
  readonly pattern: Pattern;
}

/** Patterns by the first two letters of what they begin with; `short` are those that begin with one. */
interface Entries<Rule> {
  readonly short: Entry<Rule>[];
  readonly bySecond: Map<number, Entry<Rule>[]>;
}

const NONE: readonly never[] = [];
/** Vain tries of a pattern after which it pays to ask whether the text holds an end of it at all. */
const MANY_TRIES = 2_000;

/** Searches for all these rules at once; returns those with a pattern in the text. */
export function createMatcher<Rule extends { readonly patterns: readonly Pattern[] }>(
  rules: readonly Rule[],
): (text: string) => Rule[] {
  let index: Map<number, Entries<Rule>> | null = null;
  return (text) => {
    index ??= indexByStart(rules);
    const byFirst = index;
    const found = new Set<Rule>();
    const tries = new Map<Pattern, number>();
    const tryAt = (at: number, entries: readonly Entry<Rule>[]): void => {
      for (const { rule, start, pattern: one } of entries) {
        if (found.has(rule) || !text.startsWith(start, at)) continue;
        const tried = tries.get(one) ?? 0;
        if (tried === Number.POSITIVE_INFINITY) continue;
        const { regex } = one;
        regex.lastIndex = at;
        if (regex.test(text)) found.add(rule);
        else if (tried === MANY_TRIES && one.ends?.every((end) => !text.includes(end))) {
          tries.set(one, Number.POSITIVE_INFINITY);
        } else tries.set(one, tried + 1);
      }
    };
    let isInWord = false;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const wasInWord = isInWord;
      isInWord = isAlphabetic(code);
      // No pattern starts inside a word.
      if (isInWord && wasInWord) continue;
      const entries = byFirst.get(code);
      if (entries === undefined) continue;
      tryAt(at, entries.short);
      tryAt(at, entries.bySecond.get(text.charCodeAt(at + 1)) ?? NONE);
    }
    return rules.filter((rule) => found.has(rule));
  };
}

function indexByStart<Rule extends { readonly patterns: readonly Pattern[] }>(
  rules: readonly Rule[],
): Map<number, Entries<Rule>> {
  const byFirst = new Map<number, Entries<Rule>>();
  for (const rule of rules) {
    for (const one of rule.patterns) {
      for (const start of one.starts) {
        const first = start.charCodeAt(0);
        const entries: Entries<Rule> = byFirst.get(first) ?? { short: [], bySecond: new Map() };
        byFirst.set(first, entries);
        const second = start.charCodeAt(1);
        const same = start.length === 1 ? entries.short : (entries.bySecond.get(second) ?? []);
        same.push({ rule, start, pattern: one });
        if (start.length > 1) entries.bySecond.set(second, same);
      }
    }
  }
  return byFirst;
}

/** Digits and the letters of scripts that separate words by spaces. */
function isAlphabetic(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  return code >= 0xc0 && code < 0x2000;
}

const LONGEST_HEAD = 4;

/** The letters that each alternative of a pattern begins with. */
function headsOf(sequence: string): string[] {
  const alternatives = splitAlternatives(sequence);
  if (alternatives.length > 1) return alternatives.flatMap(headsOf);
  if (/^(?:‹|\(\?<[!=])/.test(sequence)) {
    return headsOf(sequence.startsWith('‹') ? sequence.slice(1) : afterGroup(sequence));
  }
  if (sequence.startsWith('(?:')) {
    const rest = afterGroup(sequence);
    if (!/^(?:[?*]|\{0)/.test(rest)) return headsOf(sequence.slice(3, -rest.length - 1 || -1));
  }
  const letters = /^[\p{L}\d '!]*/u.exec(sequence)?.[0] ?? '';
  const isOptional = /^(?:[?*]|\{0)/.test(sequence.slice(letters.length));
  const head = letters.slice(0, isOptional ? -1 : undefined).slice(0, LONGEST_HEAD);
  if (head === '') throw new Error(`A pattern must begin with letters: ${sequence}`);
  return [head];
}

/** The letters that begin what stands behind the last gap of a pattern: without them it finds nothing. */
function endsOf(sequence: string): readonly string[] | null {
  const gap = topLevel(sequence).findLast((at) => '~…'.includes(sequence[at] ?? ''));
  if (gap === undefined || splitAlternatives(sequence).length > 1) return null;
  try {
    return [...new Set(headsOf(sequence.slice(gap + 1).replace(/^\d*\??/, '')))];
  } catch {
    // It ends with no letters: the pattern is tried wherever it may begin.
    return null;
  }
}

function splitAlternatives(sequence: string): string[] {
  const parts: string[] = [];
  let from = 0;
  if (sequence.includes('|')) {
    for (const at of topLevel(sequence)) {
      if (sequence[at] !== '|') continue;
      parts.push(sequence.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, sequence.slice(from)];
}

function afterGroup(sequence: string): string {
  const after = topLevel(sequence).find((at) => at > 0);
  return after === undefined ? '' : sequence.slice(after);
}

/** Indexes outside of groups and classes; an opening bracket counts as outside. */
function topLevel(sequence: string): number[] {
  const places: number[] = [];
  let depth = 0;
  let inClass = false;
  for (let at = 0; at < sequence.length; at += 1) {
    const letter = sequence[at];
    if (depth === 0 && !inClass) places.push(at);
    if (letter === '\\') at += 1;
    else if (inClass) inClass = letter !== ']';
    else if (letter === '[') inClass = true;
    else if (letter === '(') depth += 1;
    else if (letter === ')') depth -= 1;
  }
  return places;
}
