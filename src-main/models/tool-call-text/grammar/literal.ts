import { DEEPEST_JSON } from '../../../base/outside-json.ts';

/**
 * Reads the values that models write where JSON or Python is asked of them: either's literals, mixed.
 * Strings may hold raw line breaks; sets and tuples become arrays. Works on text that is all there.
 * What is no value is answered with `UNREADABLE`, and the cursor stands where that showed.
 */
export interface Cursor {
  readonly text: string;
  at: number;
}

/** In place of a value. An answer may hold any number of these: exceptions would cost too much. */
export const UNREADABLE = Symbol('unreadable');

const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
]);
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  a: '\x07',
  v: '\v',
  0: '\0',
  '\n': '',
};
const NUMBER =
  /[+-]?(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*)?\.?\d[\d_]*\.?(?:[eE][+-]?\d+)?)/y;
const WORD = /[A-Za-z_]\w*/y;
const STRING_START = /(?:[rRuUfF]{0,2})(?:'''|"""|'|")/y;
const BACKSLASH = 92;
const WIDE_BLANKS: ReadonlySet<number> = new Set([0x2028, 0x2029, 0x202f, 0x205f, 0x3000]);

/** Decides whether the quote that ends at `after` closes its string; for quotes inside quotes. */
export type ClosesHere = (text: string, after: number) => boolean;

/** The value that `text` is, all of it; undefined when it is none. */
export function looseValue(text: string): unknown {
  const cursor: Cursor = { text, at: 0 };
  const value = readLiteral(cursor);
  skipBlank(cursor);
  return value === UNREADABLE || cursor.at < text.length ? undefined : value;
}

export function readLiteral(
  cursor: Cursor,
  closes: ClosesHere = closesElement,
  depth = 0,
): unknown {
  if (depth > DEEPEST_JSON) return UNREADABLE;
  skipBlank(cursor);
  const char = cursor.text[cursor.at];
  if (char === '{') return readBraces(cursor, depth);
  if (char === '[') return readList(cursor, ']', depth);
  if (char === '(') return readList(cursor, ')', depth);
  const number = match(cursor, NUMBER);
  if (number !== '') return toNumber(number);
  const string = match(cursor, STRING_START);
  if (string !== '') return readString(cursor, string, closes);
  const word = match(cursor, WORD);
  return WORDS.has(word) ? WORDS.get(word) : UNREADABLE;
}

export function skipBlank(cursor: Cursor): void {
  cursor.at = behindBlank(cursor.text, cursor.at);
}

export function takeChar(cursor: Cursor, char: string): boolean {
  skipBlank(cursor);
  if (cursor.text[cursor.at] !== char) return false;
  cursor.at += 1;
  return true;
}

/** What `sticky` matches at the cursor, which moves behind it; empty when that is nothing. */
export function match(cursor: Cursor, sticky: RegExp): string {
  const { text, at } = cursor;
  sticky.lastIndex = at;
  if (!sticky.test(text)) return '';
  cursor.at = sticky.lastIndex;
  return text.slice(at, cursor.at);
}

/** The first place from `from` on where no white space stands. */
export function behindBlank(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** What `\s` matches. */
function isBlank(code: number): boolean {
  if (code < 0xa0) return code === 32 || (code >= 9 && code <= 13);
  if (code < 0x1680) return code === 0xa0;
  if (code < 0x2000) return code === 0x1680;
  if (code > 0x3000) return code === 0xfeff;
  return code <= 0x200a || WIDE_BLANKS.has(code);
}

function readList(cursor: Cursor, close: string, depth: number): unknown {
  cursor.at += 1;
  const values: unknown[] = [];
  while (!takeChar(cursor, close)) {
    const value = readLiteral(cursor, closesElement, depth + 1);
    if (value === UNREADABLE) return UNREADABLE;
    values.push(value);
    if (!takeChar(cursor, ',') && cursor.text[cursor.at] !== close) return UNREADABLE;
  }
  return values;
}

/** An object, or a set. */
function readBraces(cursor: Cursor, depth: number): unknown {
  cursor.at += 1;
  const keys: unknown[] = [];
  const values: unknown[] = [];
  while (!takeChar(cursor, '}')) {
    const key = readLiteral(cursor, closesElement, depth + 1);
    if (key === UNREADABLE) return UNREADABLE;
    keys.push(key);
    if (takeChar(cursor, ':')) {
      const value = readLiteral(cursor, closesElement, depth + 1);
      if (value === UNREADABLE) return UNREADABLE;
      values.push(value);
    }
    if (!takeChar(cursor, ',') && cursor.text[cursor.at] !== '}') return UNREADABLE;
  }
  if (values.length === 0 && keys.length > 0) return keys;
  if (values.length !== keys.length) return UNREADABLE;
  return Object.fromEntries(keys.map((key, index) => [String(key), values[index]]));
}

/** `start` is the quote, with the letters before it. */
function readString(cursor: Cursor, start: string, closes: ClosesHere): unknown {
  const { text } = cursor;
  const quote = start.replace(/^\w+/, '');
  const quoteCode = quote.charCodeAt(0);
  const raw = /r/i.test(start);
  let value = '';
  let from = cursor.at;
  for (let at = from; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH && !raw) {
      value += text.slice(from, at);
      cursor.at = at;
      value += readEscape(cursor);
      from = cursor.at;
      at = from;
      continue;
    }
    if (code === quoteCode && (quote.length === 1 || text.startsWith(quote, at))) {
      const after = at + quote.length;
      if (quote.length === 3 || closes(text, after)) {
        cursor.at = after;
        return value + text.slice(from, at);
      }
    }
    at += 1;
  }
  cursor.at = text.length;
  return UNREADABLE;
}

function readEscape(cursor: Cursor): string {
  const { text, at } = cursor;
  const char = text[at + 1] ?? '';
  const digits = { x: 2, u: 4, U: 8 }[char] ?? 0;
  const hex = text.slice(at + 2, at + 2 + digits);
  if (digits > 0 && hex.length === digits && /^[\da-fA-F]+$/.test(hex)) {
    const point = Number.parseInt(hex, 16);
    cursor.at += 2 + digits;
    return digits === 8 && point <= 0x10ffff
      ? String.fromCodePoint(point)
      : String.fromCharCode(point);
  }
  cursor.at += 2;
  if (char in ESCAPES) return ESCAPES[char] ?? '';
  // An escape that neither language knows keeps its backslash, as in Python.
  return '\\\'"/'.includes(char) ? char : `\\${char}`;
}

/** Inside a list or braces a string ends where a separator or a closing bracket follows it. */
function closesElement(text: string, after: number): boolean {
  const at = behindBlank(text, after);
  return at >= text.length || ',:)]}'.includes(text[at] ?? '');
}

function toNumber(written: string): number {
  const code = written.charCodeAt(0);
  if (code > 48 && code <= 57 && !written.includes('_')) return Number(written);
  const plain = written.replaceAll('_', '');
  const sign = plain.startsWith('-') ? -1 : 1;
  const digits = plain.replace(/^[+-]/, '');
  return sign * Number(/^0[xob]/i.test(digits) ? digits : digits.replace(/^0+(?=\d)/, ''));
}
