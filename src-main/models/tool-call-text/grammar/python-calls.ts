import { MOST_CALLS_READ } from '../tool-index.ts';
import type { Grammar, Item, Site } from '../types.ts';
import {
  behindBlank,
  type Cursor,
  match,
  readLiteral,
  skipBlank,
  takeChar,
  UNREADABLE,
} from './literal.ts';

const NAME = /[\p{L}_][\p{L}\p{N}_.]*\s*\(/uy;
const KEYWORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
const END_OF_CALL = /\)\s*(?:$|[\n,\];])/g;
/**
 * Units that may be read again, beyond as many as there are, because a call that cannot be read went on
 * past the beginning of its neighbour: an open quote does. A model leaves one open, or two.
 */
const MOST_READ_AGAIN = 65_536;

/**
 * Python calls with keyword arguments: in a list, or one after the other. Null when the text is not
 * made of them alone; a call whose arguments cannot be read is refused, and its neighbours stand.
 */
export function pythonCalls(text: string, { tape, tools }: Site): Item[] | null {
  const cursor: Cursor = { text, at: 0 };
  const items: Item[] = [];
  const inList = takeChar(cursor, '[');
  let readAgain = 0;
  while (items.length < MOST_CALLS_READ) {
    skipSeparators(cursor);
    if ((inList && takeChar(cursor, ']')) || cursor.at >= text.length) break;
    const opening = match(cursor, NAME);
    if (opening === '') break;
    const name = opening
      .slice(0, -1)
      .trimEnd()
      .replace(/\.call$/, '');
    const start = cursor.at;
    const args = readKeywords(cursor);
    if (args !== null) {
      items.push(tools.call(name, args));
      continue;
    }
    const isTooMuch = readAgain > text.length + MOST_READ_AGAIN;
    const end = isTooMuch ? text.length : endOfCall(text, start);
    items.push(tools.incomplete(name, text.slice(start, end)));
    readAgain += Math.max(0, cursor.at - end);
    cursor.at = Math.min(end + 1, text.length);
  }
  skipBlank(cursor);
  tape.walk(cursor.at + readAgain);
  return cursor.at >= text.length || items.length === MOST_CALLS_READ ? items : null;
}

/** Python calls up to one of `closes`, or up to the end of the answer. */
export function pythonUntil(closes: readonly string[], opens: readonly string[] = []): Grammar {
  return function* readPython(site) {
    const { tape } = site;
    yield* tape.skipSpace();
    const code = yield* tape.peek();
    if (code !== 91 && !/[\p{L}_]/u.test(String.fromCharCode(Math.max(code, 0)))) return null;
    const start = tape.position;
    yield* tape.until([...closes, ...opens]);
    return pythonCalls(tape.slice(start), site);
  };
}

/** The arguments up to the bracket that ends them; null when they cannot be read. */
function readKeywords(cursor: Cursor): Record<string, unknown> | null {
  const entries: [string, unknown][] = [];
  while (!takeChar(cursor, ')')) {
    const key = match(cursor, KEYWORD);
    if (key === '' || !takeChar(cursor, '=') || cursor.text[cursor.at] === '=') return null;
    const value = readLiteral(cursor, closesArgument);
    if (value === UNREADABLE) return null;
    entries.push([key, value]);
    if (!takeChar(cursor, ',') && cursor.text[cursor.at] !== ')') return null;
  }
  return Object.fromEntries(entries);
}

/** Where the call ends whose arguments begin at `start`: at a bracket that something else follows. */
function endOfCall(text: string, start: number): number {
  END_OF_CALL.lastIndex = start;
  return END_OF_CALL.exec(text)?.index ?? text.length;
}

/** A quote ends its string only where another argument, or the end of the call, follows. */
function closesArgument(text: string, after: number): boolean {
  let at = behindBlank(text, after);
  if (text[at] === ',') {
    at = behindBlank(text, at + 1);
    KEYWORD.lastIndex = at;
    if (KEYWORD.test(text)) {
      at = behindBlank(text, KEYWORD.lastIndex);
      return text[at] === '=' && text[at + 1] !== '=';
    }
  }
  if (text[at] !== ')') return false;
  const end = behindBlank(text, at + 1);
  const line = text.slice(at + 1, end).indexOf('\n');
  at = line < 0 ? end : at + 1 + line;
  return at >= text.length || ',];<\n'.includes(text[at] ?? '');
}

function skipSeparators(cursor: Cursor): void {
  do skipBlank(cursor);
  while (takeChar(cursor, ',') || takeChar(cursor, ';'));
}
