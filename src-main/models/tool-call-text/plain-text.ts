import { FIRST_KEYS } from './grammar/call-shapes.ts';
import type { LiteralIndex } from './literal-index.ts';
import { isSpace } from './tape.ts';

/** Where an answer may go over from plain text to something else, by code unit. */
const STOPS = unitsOf('<[]{`~\n');
const MARK_STARTS = unitsOf('<[]');
/** Forms that may begin at any line. */
const LINE_FORMS = ['>>>', 'functools['];
/** The keys of a call are no longer. */
const LONGEST_KEY = 24;
const LONGEST_INDENT = 3;
const [BRACKET, BRACE, BACKTICK, TILDE, NEWLINE] = [91, 123, 96, 126, 10];
const [QUOTE, APOSTROPHE, TAB, SPACE] = [34, 39, 9, 32];

/**
 * How much of `text` is plain for certain, whatever follows: no mark, fence or bare call begins in it.
 * Every unit is looked at a few times at most. `indent` is the white space before `text` on its line;
 * null when anything else stands there.
 */
export function plainLength(
  text: string,
  marks: LiteralIndex<unknown>,
  indent: string | null,
): number {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= STOPS.length || STOPS[code] === 0) continue;
    if (code === NEWLINE) {
      if (LINE_FORMS.some((form) => mayStand(form, text, at + 1))) return at;
    } else if (code === BACKTICK || code === TILDE) {
      const end = runEnd(text, at);
      const mayOpenBlock = end - at >= 3 || end === text.length;
      if (mayOpenBlock && beginsLine(text, at, indent)) return at;
      at = end - 1;
    } else if (code !== BRACE && marks.mayBegin(text, at)) return at;
    else if ((code === BRACE || code === BRACKET) && mayBeJsonCall(text, at)) return at;
  }
  return text.length;
}

/** The same of thinking, where nothing but `marks` counts. */
export function unmarkedLength(text: string, marks: LiteralIndex<unknown>): number {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < MARK_STARTS.length && MARK_STARTS[code] === 1 && marks.mayBegin(text, at)) return at;
  }
  return text.length;
}

/** Whether `form` stands at `at`, or may stand there with what follows `text`. */
function mayStand(form: string, text: string, at: number): boolean {
  const there = Math.min(form.length, text.length - at);
  for (let index = 0; index < there; index += 1) {
    if (text.charCodeAt(at + index) !== form.charCodeAt(index)) return false;
  }
  return true;
}

function runEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  let end = at + 1;
  while (end < text.length && text.charCodeAt(end) === code) end += 1;
  return end;
}

/** Whether nothing, or white space that indents no code, stands before `at` on its line. */
function beginsLine(text: string, at: number, indent: string | null): boolean {
  for (let before = at - 1; at - before <= LONGEST_INDENT + 1; before -= 1) {
    if (before < 0) return indent !== null && indent.length + at <= LONGEST_INDENT;
    const code = text.charCodeAt(before);
    if (code === NEWLINE) return true;
    if (code !== SPACE && code !== TAB) return false;
  }
  return false;
}

/** Whether `{` or `[` begins something that may turn out to be a call; true when that is not yet clear. */
function mayBeJsonCall(text: string, start: number): boolean {
  let at = start;
  if (text.charCodeAt(at) === BRACKET) at = behindSpace(text, at + 1);
  if (at < text.length && text.charCodeAt(at) !== BRACE) return false;
  at = behindSpace(text, at + 1);
  if (at >= text.length) return true;
  const quote = text.charCodeAt(at);
  if (quote !== QUOTE && quote !== APOSTROPHE) return false;
  const near = text.slice(at + 1, at + 2 + LONGEST_KEY);
  const end = near.indexOf(String.fromCharCode(quote));
  return end < 0 ? near.length <= LONGEST_KEY : FIRST_KEYS.has(near.slice(0, end));
}

function behindSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function unitsOf(chars: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const char of chars) table[char.charCodeAt(0)] = 1;
  return table;
}
