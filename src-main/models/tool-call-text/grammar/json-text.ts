import { DEEPEST_JSON } from '../../../base/outside-json.ts';
import { isSpace, type Reader, type Tape } from '../tape.ts';

/**
 * One JSON object or array as it was written. `whole`: its brackets balance. Otherwise it broke off
 * at something that cannot be JSON, or at the end of the answer; the position stands there, and
 * `open` lists the brackets, and the quote, that are still to be closed, outermost first.
 */
export interface JsonText {
  readonly text: string;
  readonly whole: boolean;
  readonly open: string;
}

const QUOTE = 34;
const APOSTROPHE = 39;
const BACKSLASH = 92;

/** Reads from a `{` or `[` to the bracket that closes it. One pass, no recursion, no copying. */
export function* readJsonText(tape: Tape): Reader<JsonText> {
  const start = tape.position;
  const stack: string[] = [];
  let quote = 0;
  let escaped = false;
  while (yield* tape.more()) {
    const rest = tape.rest();
    for (let index = 0; index < rest.length; index += 1) {
      const code = rest.charCodeAt(index);
      if (quote !== 0) {
        if (escaped) escaped = false;
        else if (code === BACKSLASH) escaped = true;
        else if (code === quote) quote = 0;
        continue;
      }
      if (code === QUOTE || code === APOSTROPHE) quote = code;
      else if (code === 123 || code === 91) {
        if (stack.length >= DEEPEST_JSON) return broken(index);
        stack.push(code === 123 ? '{' : '[');
      } else if (code === 125 || code === 93) {
        if (stack.at(-1) !== (code === 125 ? '{' : '[')) return broken(index);
        stack.pop();
        if (stack.length === 0) {
          tape.position += index + 1;
          return { text: tape.slice(start), whole: true, open: '' };
        }
      } else if (!mayStandOutsideStrings(code)) return broken(index);
    }
    tape.position += rest.length;
  }
  return broken(0);

  function broken(index: number): JsonText {
    tape.position += index;
    const open = stack.join('') + (quote === 0 ? '' : '"');
    return { text: tape.slice(start), whole: false, open };
  }
}

/** White space, separators, numbers, and the letters of JSON's and Python's words. */
function mayStandOutsideStrings(code: number): boolean {
  if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) return true;
  if (code === 44 || code === 58 || isSpace(code)) return true;
  return code === 43 || code === 45 || code === 46 || (code >= 65 && code <= 90);
}
