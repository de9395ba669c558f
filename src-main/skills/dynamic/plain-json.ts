/** Deeper than any sensible data, and far below what recursion can take. */
const MAX_DEPTH = 64;
/** Reading such data takes time per value, and blocks the app meanwhile. */
const MAX_VALUES = 20_000;

/**
 * A value from text that foreign code wrote: plain objects and arrays at most 64 deep, of at most 20,000
 * values, without a key that would set a prototype. Throws `SyntaxError` with what is wrong.
 */
export function readPlainJson(text: string): unknown {
  const { depth, values } = measureJson(text);
  if (depth > MAX_DEPTH) {
    throw new SyntaxError(`The data is nested more than ${MAX_DEPTH} deep.`);
  }
  if (values > MAX_VALUES) {
    throw new SyntaxError(
      `The data has more than ${MAX_VALUES} values. Write longer data to a file, or as one text.`,
    );
  }
  const value: unknown = JSON.parse(text);
  // Parsing makes it a key like any other; code that copies the object key by key would set a prototype.
  dropPrototypeKeys(value);
  return value;
}

/** Counted on the text, so that too large data is never built. Never counts fewer values than there are. */
export function measureJson(text: string): { readonly depth: number; readonly values: number } {
  let open = 0;
  let depth = 0;
  let values = 1;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) isInText = !isInText;
    else if (isInText) {
      if (char === BACKSLASH) at += 1;
    } else if (char === COMMA) values += 1;
    else if (char === BRACKET || char === BRACE) {
      open += 1;
      values += 1;
      depth = Math.max(depth, open);
    } else if (char === BRACKET_END || char === BRACE_END) open -= 1;
  }
  return { depth, values };
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d];

function dropPrototypeKeys(root: unknown): void {
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
    for (const inner of Object.values(value)) waiting.push(inner);
  }
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
