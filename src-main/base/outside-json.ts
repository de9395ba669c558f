/**
 * JSON from outside the app. `JSON.parse` takes any depth, but every recursive function over the value
 * (stringify, clone, compare, validate) then overflows the stack, which would surface as a bug of the app.
 */

/** Deeper than real data, and safe for every recursive function. */
export const DEEPEST_JSON = 256;

/** The value of `text`. Throws `SyntaxError` if it is not JSON or is nested too deeply. */
export function parseOutsideJson(text: string): unknown {
  if (nestsTooDeeply(text)) {
    throw new SyntaxError(`The data is nested more than ${DEEPEST_JSON} deep. Make it flatter.`);
  }
  return JSON.parse(text);
}

/** Whether the brackets in `text`, which may be JSON, nest deeper than is safe to parse. */
export function nestsTooDeeply(text: string): boolean {
  // Each level takes two brackets, if this is JSON at all.
  if (text.length < 2 * DEEPEST_JSON) return false;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) inString = !inString;
    else if (inString) {
      if (code === BACKSLASH) at += 1;
    } else if (code === BRACKET || code === BRACE) {
      depth += 1;
      if (depth > DEEPEST_JSON) return true;
    } else if (code === BRACKET_END || code === BRACE_END) depth -= 1;
  }
  return false;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The same for a value that arrived by structured clone. A cyclic value counts as too deep. */
export function isTooDeep(value: unknown): boolean {
  let level: ReadonlySet<unknown> = new Set([value]);
  for (let depth = 0; depth <= DEEPEST_JSON; depth += 1) {
    const below = new Set<unknown>();
    for (const one of level) {
      if (typeof one !== 'object' || one === null || ArrayBuffer.isView(one)) continue;
      for (const inner of Object.values(one)) if (typeof inner === 'object') below.add(inner);
    }
    if (below.size === 0) return false;
    level = below;
  }
  return true;
}
