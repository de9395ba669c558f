/** Deeper than any sensible data, and far from what recursion over it can take. */
const MAX_DEPTH = 64;

/**
 * A value from text that foreign code wrote: plain objects and arrays at most 64 deep, without a key that
 * would stand for a prototype. Throws `SyntaxError` with what is wrong.
 */
export function readPlainJson(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH) {
    throw new SyntaxError(`The data is nested more than ${MAX_DEPTH} deep.`);
  }
  return JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value));
}

/** Counted on the text, so that what is too deep is never built. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) isInText = !isInText;
    else if (isInText && char === BACKSLASH) at += 1;
    else if (!isInText && (char === BRACKET || char === BRACE)) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (!isInText && (char === BRACKET_END || char === BRACE_END)) depth -= 1;
  }
  return deepest;
}

const [QUOTE, BACKSLASH, BRACKET, BRACKET_END, BRACE, BRACE_END] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
];

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
