import { readMessage } from './channels.ts';
import { gemmaCall } from './families/gemma.ts';
import { readNamedArguments } from './families/named-json.ts';
import { argumentPairs } from './grammar/argument-pairs.ts';
import { FIRST_KEYS, unmistakableShapes } from './grammar/call-shapes.ts';
import { jsonCalls } from './grammar/json-calls.ts';
import { pythonCalls } from './grammar/python-calls.ts';
import { mentionsCall } from './quotation.ts';
import { act, type Session, sayFrom, skipLeftovers } from './session.ts';
import type { Reader, Tape } from './tape.ts';
import { MOST_CALLS_READ } from './tool-index.ts';
import type { Item } from './types.ts';

const LONGEST_WORD = 64;
const LONGEST_KEY = 24;
const TAIL_LENGTH = 400;
const LONGEST_MARK = 84;
const WORD_UNIT = /[\p{L}\p{N}_.-]/u;
const anyJson = jsonCalls();
const bareJson = jsonCalls(unmistakableShapes);

/**
 * Forms without a mark of their own, taken only where an answer (or what follows its thinking, or
 * its last call) begins. Handles what stands there and returns true, or returns false, unmoved.
 */
export function* readOpening(session: Session): Reader<boolean> {
  const { tape } = session;
  const start = tape.position;
  const code = yield* tape.peek();
  let done = false;
  if (code === 123) done = yield* readBareJson(session, start);
  else if (code === 91) done = yield* readBareList(session, start);
  else if (code >= 0) done = yield* readWord(session, start);
  if (!done) tape.position = start;
  return done;
}

/**
 * One JSON call or several that stand here by themselves. What comes after them decides, so they
 * are held until enough of it is there. False, unmoved, when they are no calls.
 */
export function* readBareJson(session: Session, from?: number): Reader<boolean> {
  const { tape, tools } = session;
  const start = tape.position;
  const items = yield* readJsonRun(session);
  const taken = items?.every((item) => item.ok) ?? false;
  // At the start of an answer, a half call of an offered tool is a call that failed, not prose.
  const failed = from !== undefined && tools.known && tape.atEnd && isOneFailure(session, items);
  if (!taken && !failed) {
    tape.position = start;
    return false;
  }
  yield* tape.peek(TAIL_LENGTH);
  if (mentionsCall(withoutLeftovers(tape))) sayFrom(session, from ?? start);
  else yield* act(session, items ?? [], start);
  return true;
}

/** Whether `{` or `[` begins something that may turn out to be a call. Does not move. */
export function* looksLikeJsonCall(tape: Tape): Reader<boolean> {
  const start = tape.position;
  try {
    if (yield* tape.take('[')) yield* tape.skipSpace();
    if (!(yield* tape.take('{'))) return false;
    yield* tape.skipSpace();
    const quote = yield* tape.peek();
    if (quote !== 34 && quote !== 39) return false;
    tape.position += 1;
    const keyStart = tape.position;
    while ((yield* tape.peek()) !== quote) {
      if (tape.atEnd || tape.position - keyStart > LONGEST_KEY) return false;
      if (!/\w/.test(String.fromCharCode(tape.code()))) return false;
      tape.position += 1;
    }
    return FIRST_KEYS.has(tape.slice(keyStart));
  } finally {
    tape.position = start;
  }
}

function* readJsonRun(session: Session): Reader<Item[] | null> {
  const { tape } = session;
  const items: Item[] = [];
  for (;;) {
    if (!(yield* looksLikeJsonCall(tape))) return null;
    const read = yield* bareJson(session);
    if (read === null || read.length === 0) return null;
    items.push(...read);
    if (items.length >= MOST_CALLS_READ) return items;
    const end = tape.position;
    yield* tape.skipSpace(',;');
    const next = yield* tape.peek();
    if (next !== 123 && next !== 91) {
      tape.position = end;
      return items;
    }
    if (!(yield* looksLikeJsonCall(tape))) {
      tape.position = end;
      return items;
    }
  }
}

function isOneFailure({ tools }: Session, items: readonly Item[] | null): boolean {
  const [only, ...others] = items ?? [];
  return only !== undefined && others.length === 0 && tools.resolve(only.name) !== null;
}

function withoutLeftovers(tape: Tape): string {
  const text = tape.slice(tape.position, tape.position + TAIL_LENGTH);
  return text.replace(/^(?:\s*(?:<[|｜][^<>\n]{1,40}[|｜]>|<\/?s>))+/u, '');
}

function* readBareList(session: Session, from: number): Reader<boolean> {
  const { tape, tools } = session;
  const start = tape.position;
  if (yield* looksLikeJsonCall(tape)) return yield* readBareJson(session, from);
  tape.position += 1;
  yield* tape.skipSpace();
  const name = yield* readPlausibleWord(session);
  const isCall = name !== '' && (yield* tape.peek()) === 40 && tools.resolve(name) !== null;
  tape.position = start;
  return isCall && (yield* readWholePython(session));
}

/** An answer that is Python calls and nothing else. */
function* readWholePython(session: Session): Reader<boolean> {
  const { tape } = session;
  const start = tape.position;
  yield* tape.until([]);
  const items = pythonCalls(withoutLastMarks(tape.slice(start)), session);
  const taken = items !== null && items.length > 0 && items.every((item) => item.ok);
  if (taken) yield* act(session, items, start);
  return taken;
}

/** Without the marks that end an answer, and the white space around them. */
function withoutLastMarks(text: string): string {
  for (let end = text.trimEnd().length; ; ) {
    const mark = /<[|｜][^<>\n]{1,40}[|｜]>$/u.exec(
      text.slice(Math.max(0, end - LONGEST_MARK), end),
    );
    if (mark === null) return text.slice(0, end);
    end = text.slice(0, end - mark[0].length).trimEnd().length;
  }
}

/** Forms that begin with a word: most often the name of the tool. */
function* readWord(session: Session, from: number): Reader<boolean> {
  const { tape, tools } = session;
  const start = tape.position;
  if (yield* tape.comes('>>>')) return yield* readPrompted(session, from);
  const word = yield* readPlausibleWord(session);
  if (word === '') return false;
  const next = yield* tape.peek();
  if (word === 'to' && next === 61) {
    tape.position = start;
    return yield* readMessage(session, from);
  }
  if (word === 'functools' && next === 91)
    return yield* take(session, yield* anyJson(session), from);
  if (word === 'call' && next === 58 && tools.known) {
    tape.position = start;
    return yield* take(session, yield* gemmaCall(session), from);
  }
  if (next === 40) {
    const named = tools.known ? tools.resolve(word) !== null : yield* keywordFollows(tape);
    tape.position = start;
    return named && (yield* readWholePython(session));
  }
  return yield* readNamed(session, { word, start, from });
}

/** A tool's name with its arguments below it: as JSON, or as pairs of tags. */
function* readNamed(
  session: Session,
  { word, start, from }: { word: string; start: number; from: number },
): Reader<boolean> {
  const { tape, tools } = session;
  yield* tape.skipSpace();
  if (yield* tape.comes('<arg_key>')) {
    tape.position = start;
    return yield* take(session, yield* argumentPairs(session), from);
  }
  if (!tools.known || tools.resolve(word) === null) return false;
  if (!tape.slice(start).includes('\n') || !(yield* tape.comes('{'))) return false;
  const item = yield* readNamedArguments(session, word);
  yield* skipLeftovers(session);
  const whole = item?.ok === true && (tape.atEnd || (yield* tape.comes('>>>')));
  return whole && (yield* take(session, [item], from));
}

/** `>>>NAME` and JSON below it; `>>>all` addresses the user. */
export function* readPrompted(session: Session, from: number): Reader<boolean> {
  const { tape, tools } = session;
  if (!(yield* tape.take('>>>'))) return false;
  const word = yield* readPlausibleWord(session);
  if (!tools.known || (yield* tape.peek()) !== 10) return false;
  if (word === 'all') {
    tape.position += 1;
    return true;
  }
  if (tools.resolve(word) === null) return false;
  const item = yield* readNamedArguments(session, word);
  return item !== null && (yield* take(session, [item], from));
}

/** The word that stands here while it may be a name that matters; empty as soon as it may not. */
function* readPlausibleWord({ tape, tools }: Session): Reader<string> {
  const start = tape.position;
  for (;;) {
    const code = yield* tape.peek();
    if (code < 0 || !WORD_UNIT.test(String.fromCharCode(code))) return tape.slice(start);
    tape.position += 1;
    if (!mayMatter(tape.slice(start), tools)) return '';
  }
}

function mayMatter(word: string, tools: Session['tools']): boolean {
  if (word.length > LONGEST_WORD) return false;
  const bare = word.replace(/^functions\.?/, '');
  return (
    tools.hasPrefix(bare) ||
    ['functools', 'functions', 'call', 'to', 'all'].some((known) => known.startsWith(word))
  );
}

function* keywordFollows(tape: Tape): Reader<boolean> {
  tape.position += 1;
  yield* tape.skipSpace();
  const start = tape.position;
  for (;;) {
    const code = yield* tape.peek();
    if (code < 0 || !/\w/.test(String.fromCharCode(code))) break;
    tape.position += 1;
  }
  const found = tape.position > start && tape.code() === 61;
  return found && (yield* tape.peek(1)) !== 61;
}

function* take(session: Session, items: Item[] | null, from: number): Reader<boolean> {
  if (items === null) return false;
  yield* act(session, items, from);
  return true;
}
