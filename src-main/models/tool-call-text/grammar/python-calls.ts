import type { ToolIndex } from '../tool-index.ts';
import type { Grammar, Item } from '../types.ts';
import { type Cursor, LiteralError, match, readLiteral, skipBlank, takeChar } from './literal.ts';

const NAME = /([\p{L}_][\p{L}\p{N}_.]*?)(?:\.call)?\s*\(/uy;
const KEYWORD = /\s*([\p{L}_][\p{L}\p{N}_]*)\s*=(?!=)/uy;
const CLOSES_ARGUMENT =
  /\s*(?:,\s*[\p{L}_][\p{L}\p{N}_]*\s*=(?!=)|,?\s*\)[^\S\n]*(?:$|[\n,\];<]))/uy;
const END_OF_CALL = /\)\s*(?:$|[\n,\];])/g;

/**
 * Python calls with keyword arguments: in a list, or one after the other. Null when the text is not
 * made of them alone; a call whose arguments cannot be read is refused, and its neighbours stand.
 */
export function pythonCalls(text: string, tools: ToolIndex): Item[] | null {
  const cursor: Cursor = { text, at: 0 };
  const items: Item[] = [];
  const inList = takeChar(cursor, '[');
  for (;;) {
    skipSeparators(cursor);
    if (inList && takeChar(cursor, ']')) break;
    if (cursor.at >= text.length) break;
    const item = readCall(cursor, tools);
    if (item === null) return null;
    items.push(item);
  }
  skipBlank(cursor);
  return cursor.at >= text.length ? items : null;
}

/** Python calls up to one of `closes`, or up to the end of the answer. */
export function pythonUntil(closes: readonly string[], opens: readonly string[] = []): Grammar {
  return function* readPython({ tape, tools }) {
    yield* tape.skipSpace();
    const code = yield* tape.peek();
    if (code !== 91 && !/[\p{L}_]/u.test(String.fromCharCode(Math.max(code, 0)))) return null;
    const start = tape.position;
    yield* tape.until([...closes, ...opens]);
    return pythonCalls(tape.slice(start), tools);
  };
}

function readCall(cursor: Cursor, tools: ToolIndex): Item | null {
  const name = match(cursor, NAME)?.[1];
  if (name === undefined) return null;
  const start = cursor.at;
  try {
    return tools.call(name, readKeywords(cursor));
  } catch (error) {
    if (!(error instanceof LiteralError)) throw error;
    END_OF_CALL.lastIndex = start;
    const end = END_OF_CALL.exec(cursor.text)?.index ?? cursor.text.length;
    cursor.at = Math.min(end + 1, cursor.text.length);
    return tools.incomplete(name, cursor.text.slice(start, end));
  }
}

function readKeywords(cursor: Cursor): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  while (!takeChar(cursor, ')')) {
    const key = match(cursor, KEYWORD)?.[1];
    if (key === undefined) throw new LiteralError('a positional argument');
    entries.push([key, readLiteral(cursor, closesArgument)]);
    skipBlank(cursor);
    if (!takeChar(cursor, ',') && cursor.text[cursor.at] !== ')') {
      throw new LiteralError('no separator after an argument');
    }
  }
  return Object.fromEntries(entries);
}

/** A quote ends its string only where another argument, or the end of the call, follows. */
function closesArgument(text: string, after: number): boolean {
  CLOSES_ARGUMENT.lastIndex = after;
  return CLOSES_ARGUMENT.test(text);
}

function skipSeparators(cursor: Cursor): void {
  while (/[\s,;]/.test(cursor.text[cursor.at] ?? '')) cursor.at += 1;
}
