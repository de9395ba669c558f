/** A value of a JSON text, by its place in it: what is not shown costs nothing. */
export interface JsonNode {
  /** Its name in an object, as it is written; null in a list, and for the whole. */
  readonly name: string | null;
  readonly kind: 'object' | 'list' | 'value';
  readonly start: number;
  readonly end: number;
  /** Entries of an object or a list. */
  readonly size: number;
}

export type JsonReading =
  | { readonly ok: true; readonly root: JsonNode }
  | { readonly ok: false; readonly line: number; readonly column: number };

/** The whole of a JSON text, or where it stops being one. */
export function readJson(source: string): JsonReading {
  // Some editors begin a file with a mark of its encoding, which JSON does not have.
  const text = source.startsWith('\uFEFF') ? ` ${source.slice(1)}` : source;
  try {
    JSON.parse(text);
    return { ok: true, root: nodeAt(text, skipSpace(text, 0), null) };
  } catch {
    const before = source.slice(0, findFault(text)).split('\n');
    return { ok: false, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
}

/** The first entries of an object or a list, in their order; of names that occur twice, both. */
export function entriesOf(text: string, node: JsonNode, count: number): JsonNode[] {
  const entries: JsonNode[] = [];
  let at = skipSpace(text, node.start + 1);
  while (entries.length < Math.min(count, node.size)) {
    let name: string | null = null;
    if (node.kind === 'object') {
      const end = endOfString(text, at);
      name = text.slice(at, end);
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    const entry = nodeAt(text, at, name);
    entries.push(entry);
    at = skipSpace(text, skipSpace(text, entry.end) + 1);
  }
  return entries;
}

/** The value at this place of a text that is known to be JSON. */
function nodeAt(text: string, start: number, name: string | null): JsonNode {
  const opening = text[start];
  if (opening === '"') {
    return { name, kind: 'value', start, end: endOfString(text, start), size: 0 };
  }
  if (opening !== '{' && opening !== '[') {
    return { name, kind: 'value', start, end: endOfWord(text, start), size: 0 };
  }
  let depth = 0;
  let size = /[\]}]/.test(text[skipSpace(text, start + 1)] ?? '') ? 0 : 1;
  let at = start;
  do {
    const mark = text[at];
    if (mark === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (mark === '{' || mark === '[') depth += 1;
    else if (mark === '}' || mark === ']') depth -= 1;
    else if (mark === ',' && depth === 1) size += 1;
    at += 1;
  } while (depth > 0 && at < text.length);
  return { name, kind: opening === '{' ? 'object' : 'list', start, end: at, size };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r'.includes(text[at] ?? 'x')) at += 1;
  return at;
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !' \t\n\r,]}'.includes(text[at] ?? 'x')) at += 1;
  return at;
}

/** Behind the closing quote. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, text.length);
}

const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![^\s,\]}])/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none in a string
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Where a text that is not JSON stops being so; its length where it ends too early. */
function findFault(text: string): number {
  const open: ('{' | '[')[] = [];
  let at = skipSpace(text, 0);
  let wanted: 'value' | 'value or end' | 'name' | 'name or end' | 'next' = 'value';
  for (;;) {
    const mark = text[at];
    const inside = open.at(-1);
    const isEnd = mark === (inside === '{' ? '}' : ']') && inside !== undefined;
    if (isEnd && (wanted === 'next' || wanted.endsWith(' or end'))) {
      open.pop();
      at += 1;
      wanted = 'next';
    } else if (wanted === 'next') {
      if (mark !== ',' || inside === undefined) return at;
      at += 1;
      wanted = inside === '{' ? 'name' : 'value';
    } else if (wanted.startsWith('name')) {
      const end = mark === '"' ? checkString(text, at) : at;
      if (end <= at) return Math.abs(end);
      at = skipSpace(text, end);
      if (text[at] !== ':') return at;
      at += 1;
      wanted = 'value';
    } else if (mark === '{' || mark === '[') {
      open.push(mark);
      at += 1;
      wanted = mark === '{' ? 'name or end' : 'value or end';
    } else {
      const end = mark === '"' ? checkString(text, at) : checkScalar(text, at);
      if (end <= at) return Math.abs(end);
      at = end;
      wanted = 'next';
    }
    at = skipSpace(text, at);
  }
}

/** Behind the word at this place; this place where it is none. */
function checkScalar(text: string, from: number): number {
  SCALAR.lastIndex = from;
  return SCALAR.test(text) ? SCALAR.lastIndex : from;
}

/** Behind the closing quote; the place of a fault as a negative number. */
function checkString(text: string, from: number): number {
  let at = from + 1;
  for (;;) {
    PLAIN.lastIndex = at;
    PLAIN.test(text);
    at = PLAIN.lastIndex;
    if (text[at] === '"') return at + 1;
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text)) return -at;
    at = ESCAPE.lastIndex;
  }
}
