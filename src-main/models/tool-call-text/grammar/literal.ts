import { DEEPEST_JSON } from '../../../base/outside-json.ts';

/**
 * Reads the values that models write where JSON or Python is asked of them: either's literals, mixed.
 * Strings may hold raw line breaks; sets and tuples become arrays. Works on text that is all there.
 */
export interface Cursor {
  readonly text: string;
  at: number;
}

/** Thrown by the readers of this file and caught by `looseValue` and the reader of Python calls. */
export class LiteralError extends Error {}

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
const STRING_START = /(?:[rRuUfF]{0,2})('''|"""|'|")/y;

/** Decides whether the quote that ends at `after` closes its string; for quotes inside quotes. */
export type ClosesHere = (text: string, after: number) => boolean;

/** The value that `text` is, all of it; undefined when it is none. */
export function looseValue(text: string): unknown {
  const cursor: Cursor = { text, at: 0 };
  try {
    const value = readLiteral(cursor);
    skipBlank(cursor);
    return cursor.at === text.length ? value : undefined;
  } catch (error) {
    if (error instanceof LiteralError) return undefined;
    throw error;
  }
}

export function readLiteral(
  cursor: Cursor,
  closes: ClosesHere = closesElement,
  depth = 0,
): unknown {
  if (depth > DEEPEST_JSON) throw new LiteralError('nested too deeply');
  skipBlank(cursor);
  const char = cursor.text[cursor.at];
  if (char === '{') return readBraces(cursor, depth);
  if (char === '[') return readList(cursor, ']', depth);
  if (char === '(') return readList(cursor, ')', depth);
  const string = match(cursor, STRING_START);
  if (string !== null) return readString(cursor, string, closes);
  const number = match(cursor, NUMBER);
  if (number !== null) return toNumber(number[0]);
  const word = match(cursor, WORD)?.[0] ?? '';
  if (WORDS.has(word)) return WORDS.get(word);
  throw new LiteralError(`no value at ${cursor.at}`);
}

export function skipBlank(cursor: Cursor): void {
  while (/\s/.test(cursor.text[cursor.at] ?? '')) cursor.at += 1;
}

export function takeChar(cursor: Cursor, char: string): boolean {
  skipBlank(cursor);
  if (cursor.text[cursor.at] !== char) return false;
  cursor.at += 1;
  return true;
}

export function match(cursor: Cursor, sticky: RegExp): RegExpExecArray | null {
  sticky.lastIndex = cursor.at;
  const found = sticky.exec(cursor.text);
  if (found === null || found[0] === '') return null;
  cursor.at = sticky.lastIndex;
  return found;
}

function readList(cursor: Cursor, close: string, depth: number): unknown[] {
  cursor.at += 1;
  const values: unknown[] = [];
  while (!takeChar(cursor, close)) {
    values.push(readLiteral(cursor, closesElement, depth + 1));
    if (!takeChar(cursor, ',') && !nextIs(cursor, close)) throw new LiteralError('unclosed list');
  }
  return values;
}

function readBraces(cursor: Cursor, depth: number): unknown {
  cursor.at += 1;
  const keys: unknown[] = [];
  const values: unknown[] = [];
  while (!takeChar(cursor, '}')) {
    keys.push(readLiteral(cursor, closesElement, depth + 1));
    if (takeChar(cursor, ':')) values.push(readLiteral(cursor, closesElement, depth + 1));
    if (!takeChar(cursor, ',') && !nextIs(cursor, '}')) throw new LiteralError('unclosed braces');
  }
  if (values.length === 0 && keys.length > 0) return keys;
  if (values.length !== keys.length) throw new LiteralError('neither an object nor a set');
  return Object.fromEntries(keys.map((key, index) => [String(key), values[index]]));
}

function readString(cursor: Cursor, start: RegExpExecArray, closes: ClosesHere): string {
  const quote = start[1] ?? '"';
  const raw = /r/i.test(start[0]);
  let value = '';
  while (cursor.at < cursor.text.length) {
    const char = cursor.text[cursor.at] ?? '';
    if (cursor.text.startsWith(quote, cursor.at)) {
      const after = cursor.at + quote.length;
      if (quote.length === 3 || closes(cursor.text, after)) {
        cursor.at = after;
        return value;
      }
    }
    if (char === '\\' && !raw) {
      value += readEscape(cursor);
    } else {
      value += char;
      cursor.at += 1;
    }
  }
  throw new LiteralError('unclosed string');
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

function nextIs(cursor: Cursor, char: string): boolean {
  skipBlank(cursor);
  return cursor.text[cursor.at] === char;
}

/** Inside a list or braces a string ends where a separator or a closing bracket follows it. */
function closesElement(text: string, after: number): boolean {
  let at = after;
  while (/\s/.test(text[at] ?? '')) at += 1;
  return at >= text.length || ',:)]}'.includes(text[at] ?? '');
}

function toNumber(written: string): number {
  const plain = written.replaceAll('_', '');
  const sign = plain.startsWith('-') ? -1 : 1;
  const digits = plain.replace(/^[+-]/, '');
  return sign * Number(/^0[xob]/i.test(digits) ? digits : digits.replace(/^0+(?=\d)/, ''));
}
