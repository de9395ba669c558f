import { envelope } from '../grammar/envelope.ts';
import {
  type Cursor,
  match,
  readLiteral,
  skipBlank,
  takeChar,
  UNREADABLE,
} from '../grammar/literal.ts';
import { LONGEST_HEAD } from '../tape.ts';
import type { Family, Grammar } from '../types.ts';

const DELIMITERS = ['<|"|>', '<escape>'];
const CLOSES = ['<tool_call|>', '<end_function_call>'];
const KEY = /[^\s:,{}[\]<>"]+/y;
const BARE = /[^,}\]]*/y;
const DEEPEST = 128;

/** `call:NAME{key:value,…}`; strings between delimiters of their own, other values bare. */
export const gemmaCall: Grammar = function* readGemmaCall({ tape, tools }) {
  yield* tape.skipSpace();
  if (!(yield* tape.take('call:'))) return null;
  const start = tape.position;
  if ((yield* tape.until(['{', '\n', '<'], LONGEST_HEAD)) !== '{') return null;
  const name = tape.slice(start).trim();
  const argumentsStart = tape.position;
  yield* tape.until(CLOSES);
  const text = tape.slice(argumentsStart);
  const cursor: Cursor = { text, at: 0 };
  const args = readObject(cursor, 0);
  if (args === UNREADABLE) return [tools.incomplete(name, text)];
  // Another call may follow in the same envelope.
  tape.position = argumentsStart + cursor.at;
  return [tools.call(name, args)];
};

export const gemma: Family = {
  id: 'gemma 4, functiongemma',
  opens: ['<|tool_call>', '<start_function_call>'],
  read: envelope([gemmaCall], { closes: CLOSES }),
};

export const gemmaCloses = CLOSES;

function readObject(cursor: Cursor, depth: number): unknown {
  const entries: [string, unknown][] = [];
  if (depth > DEEPEST || !takeChar(cursor, '{')) return UNREADABLE;
  while (!takeChar(cursor, '}')) {
    const key = readKey(cursor);
    if (key === null || !takeChar(cursor, ':')) return UNREADABLE;
    const value = readValue(cursor, depth);
    if (value === UNREADABLE || !endsElement(cursor, '}')) return UNREADABLE;
    entries.push([key, value]);
  }
  return Object.fromEntries(entries);
}

function readArray(cursor: Cursor, depth: number): unknown {
  const values: unknown[] = [];
  if (depth > DEEPEST || !takeChar(cursor, '[')) return UNREADABLE;
  while (!takeChar(cursor, ']')) {
    const value = readValue(cursor, depth);
    if (value === UNREADABLE || !endsElement(cursor, ']')) return UNREADABLE;
    values.push(value);
  }
  return values;
}

function readValue(cursor: Cursor, depth: number): unknown {
  skipBlank(cursor);
  const char = cursor.text[cursor.at];
  if (char === '{') return readObject(cursor, depth + 1);
  if (char === '[') return readArray(cursor, depth + 1);
  if (char === '"') return readLiteral(cursor);
  const mark = delimiterAt(cursor);
  if (mark !== undefined) return readDelimited(cursor, mark) ?? UNREADABLE;
  return bareValue(match(cursor, BARE).trim());
}

function readKey(cursor: Cursor): string | null {
  skipBlank(cursor);
  const mark = delimiterAt(cursor);
  return mark === undefined ? match(cursor, KEY) || null : readDelimited(cursor, mark);
}

function delimiterAt({ text, at }: Cursor): string | undefined {
  return DELIMITERS.find((delimiter) => text.startsWith(delimiter, at));
}

/** The string between two of `mark`; null when it is not closed. */
function readDelimited(cursor: Cursor, mark: string): string | null {
  const start = cursor.at + mark.length;
  const end = cursor.text.indexOf(mark, start);
  if (end < 0) return null;
  cursor.at = end + mark.length;
  return cursor.text.slice(start, end);
}

function endsElement(cursor: Cursor, close: string): boolean {
  return takeChar(cursor, ',') || cursor.text[cursor.at] === close;
}

function bareValue(text: string): unknown {
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  return text === 'null' || text === 'None' ? null : text;
}
