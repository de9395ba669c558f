import { envelope } from '../grammar/envelope.ts';
import { type Cursor, LiteralError, match, readLiteral, takeChar } from '../grammar/literal.ts';
import { LONGEST_HEAD } from '../tape.ts';
import type { Family, Grammar, Item } from '../types.ts';

const DELIMITERS = ['<|"|>', '<escape>'];
const CLOSES = ['<tool_call|>', '<end_function_call>'];
const KEY = /\s*([^\s:,{}[\]<>"]+)\s*(?=:)/y;
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
  let item: Item;
  try {
    item = tools.call(name, readObject(cursor, 0));
    // Another call may follow in the same envelope.
    tape.position = argumentsStart + cursor.at;
  } catch (error) {
    if (!(error instanceof LiteralError)) throw error;
    item = tools.incomplete(name, text);
  }
  return [item];
};

export const gemma: Family = {
  id: 'gemma 4, functiongemma',
  opens: ['<|tool_call>', '<start_function_call>'],
  read: envelope([gemmaCall], { closes: CLOSES }),
};

export const gemmaCloses = CLOSES;

function readObject(cursor: Cursor, depth: number): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  if (depth > DEEPEST || !takeChar(cursor, '{')) throw new LiteralError('no object');
  while (!takeChar(cursor, '}')) {
    const key = readDelimited(cursor) ?? match(cursor, KEY)?.[1];
    if (key === undefined || !takeChar(cursor, ':')) throw new LiteralError('no key');
    entries.push([key, readValue(cursor, depth)]);
    endElement(cursor, '}');
  }
  return Object.fromEntries(entries);
}

function readArray(cursor: Cursor, depth: number): unknown[] {
  const values: unknown[] = [];
  if (depth > DEEPEST || !takeChar(cursor, '[')) throw new LiteralError('no array');
  while (!takeChar(cursor, ']')) {
    values.push(readValue(cursor, depth));
    endElement(cursor, ']');
  }
  return values;
}

function readValue(cursor: Cursor, depth: number): unknown {
  while (/\s/.test(cursor.text[cursor.at] ?? '')) cursor.at += 1;
  const char = cursor.text[cursor.at];
  if (char === '{') return readObject(cursor, depth + 1);
  if (char === '[') return readArray(cursor, depth + 1);
  if (char === '"') return readLiteral(cursor);
  const delimited = readDelimited(cursor);
  if (delimited !== null) return delimited;
  const bare = (match(cursor, BARE)?.[0] ?? '').trim();
  return bareValue(bare);
}

function readDelimited(cursor: Cursor): string | null {
  while (/\s/.test(cursor.text[cursor.at] ?? '')) cursor.at += 1;
  const mark = DELIMITERS.find((delimiter) => cursor.text.startsWith(delimiter, cursor.at));
  if (mark === undefined) return null;
  const start = cursor.at + mark.length;
  const end = cursor.text.indexOf(mark, start);
  if (end < 0) throw new LiteralError('unclosed string');
  cursor.at = end + mark.length;
  return cursor.text.slice(start, end);
}

function endElement(cursor: Cursor, close: string): void {
  if (takeChar(cursor, ',')) return;
  if (cursor.text[cursor.at] !== close) throw new LiteralError('no separator');
}

function bareValue(text: string): unknown {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  return text === 'null' || text === 'None' ? null : text;
}
