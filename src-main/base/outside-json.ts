/**
 * JSON that somebody else wrote. Engines parse any depth, and then whatever goes over the value by calling
 * itself (writing it, cloning, comparing, schemas) runs out of stack: a bug in the eyes of the app.
 */

/** Deeper than anybody nests data, and safe for every recursive reader of it. */
export const DEEPEST_JSON = 256;

/** The value of `text`. Throws `SyntaxError` for what is no JSON, or nested too deeply. */
export function parseOutsideJson(text: string): unknown {
  if (nestsTooDeeply(text)) {
    throw new SyntaxError(`The data is nested more than ${DEEPEST_JSON} deep. Make it flatter.`);
  }
  return JSON.parse(text);
}

/** Whether the brackets of a text that may be JSON nest deeper than is safe to read. */
export function nestsTooDeeply(text: string): boolean {
  // Each level takes two brackets, if it is JSON at all.
  if (text.length < 2 * DEEPEST_JSON) return false;
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isInText = !isInText;
    else if (isInText) {
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

/** The same of a value that came as such, over a channel that clones; one that holds itself is too deep. */
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
