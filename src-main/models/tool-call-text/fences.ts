import { pythonCalls } from './grammar/python-calls.ts';
import { announcesCall } from './quotation.ts';
import { act, type Session, say, sayFrom, skipLeftovers } from './session.ts';
import { LONGEST_HEAD, type Reader } from './tape.ts';
import type { Item } from './types.ts';

interface Fence {
  readonly unit: string;
  readonly length: number;
  readonly info: string;
}

const CALL_INFO =
  /^(?:|jsonc?|xml|text|plaintext|tools?|(?:tool|function)[_-]?(?:calls?|code|use)?)$/i;
const LONGEST_INFO = 80;
const SHORTEST_FENCE = 3;

/**
 * A fenced block, with the position on its first backtick or tilde at the start of a line. It is
 * text, quoted as it stands, unless it is all that the answer says, or announced and the last thing
 * it says, and holds nothing but calls. False, unmoved, when no block opens here.
 */
export function* readFence(session: Session): Reader<boolean> {
  const { tape, prose, patience } = session;
  const start = tape.position;
  const fence = yield* readOpening(session);
  if (fence === null) {
    // What may open a block costs a look at its line; a tick or two do not.
    if (tape.position - start >= SHORTEST_FENCE) patience.spend();
    tape.position = start;
    return false;
  }
  const mayAct =
    patience.spend() &&
    CALL_INFO.test(fence.info) &&
    (prose.blank || announcesCall(prose.lead)) &&
    !prose.quoted;
  const items = mayAct ? yield* readActingBlocks(session, fence) : null;
  if (items !== null) {
    yield* act(session, items, start);
    return true;
  }
  if (mayAct) patience.waste(tape.position - start);
  // From here on the block is only passed through, as it arrives.
  tape.position = start;
  yield* readOpening(session);
  sayFrom(session, start);
  yield* readBody(session, fence, (text) => {
    say(session, text);
    tape.forget();
  });
  prose.endBlock();
  return true;
}

/** This block, and any that follow it directly, as calls; null when they are to be shown. */
function* readActingBlocks(session: Session, first: Fence): Reader<Item[] | null> {
  const { tape } = session;
  const items: Item[] = [];
  for (let fence: Fence | null = first; fence !== null; fence = yield* readOpening(session)) {
    if (!(yield* mayHoldCall(session, fence))) return null;
    let body = '';
    yield* readBody(session, fence, (text) => {
      body += text;
    });
    const read = callsIn(session, fence, withoutClosingLine(body, fence));
    if (read === null) return null;
    items.push(...read);
    yield* skipLeftovers(session);
  }
  return tape.atEnd && items.length > 0 ? items : null;
}

/** A block that begins like prose or data is not worth holding back. */
function* mayHoldCall({ tape }: Session, fence: Fence): Reader<boolean> {
  let ahead = 0;
  let code = yield* tape.peek(ahead);
  while (code === 32 || code === 9 || code === 10 || code === 13) code = yield* tape.peek(++ahead);
  const char = String.fromCharCode(Math.max(code, 0));
  return '{[<'.includes(char) || (/^tool/i.test(fence.info) && /[\p{L}_]/u.test(char));
}

function callsIn(session: Session, fence: Fence, body: string): Item[] | null {
  const mayBeCode = /^tool/i.test(fence.info) && /^\s*[\p{L}_[]/u.test(body);
  const code = mayBeCode ? pythonCalls(unprinted(body), session) : null;
  const items = code ?? session.callsMaking(body);
  return items !== null && items.length > 0 && items.every((item) => item.ok) ? items : null;
}

/** Gemma 3 prints, or names, the results of the calls that it writes as code. */
function unprinted(code: string): string {
  return code
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[\w]+\s*=\s*)?print\((.*)\)\s*$/, '$1'))
    .map((line) => line.replace(/^\s*\w+\s*=\s*(?=[\p{L}_][\w.]*\()/u, ''))
    .join('\n');
}

/** The line that opens a block; null when this is none. */
function* readOpening({ tape }: Session): Reader<Fence | null> {
  const code = yield* tape.peek();
  if (code !== 96 && code !== 126) return null;
  const unit = String.fromCharCode(code);
  let length = 0;
  while ((yield* tape.peek()) === code) {
    length += 1;
    tape.position += 1;
  }
  if (length < SHORTEST_FENCE) return null;
  const infoStart = tape.position;
  const stop = yield* tape.until(['\n', '`'], LONGEST_HEAD);
  const isOneLine = stop === '\n' || tape.atEnd;
  const info = tape.slice(infoStart).trim();
  if (!isOneLine || info.length > LONGEST_INFO) return null;
  if (stop !== null) tape.position += 1;
  return { unit, length, info };
}

/** Hands the block's lines on, with the line that closes it. Unclosed, it goes on to the end. */
function* readBody(session: Session, fence: Fence, sink: (text: string) => void): Reader<void> {
  const { tape } = session;
  const close = fence.unit.repeat(fence.length);
  for (;;) {
    const lineStart = tape.position;
    if (yield* isClosingLine(session, fence, close)) {
      sink(tape.slice(lineStart));
      return;
    }
    tape.position = lineStart;
    // Lines that are here and close nothing need no reader of their own.
    const rest = tape.rest();
    const open = openLines(rest, fence);
    if (open > 0) {
      tape.position += open;
      sink(rest.slice(0, open));
      continue;
    }
    if ((yield* tape.copyUntil(['\n'], sink)) === null) return;
    tape.position += 1;
    sink('\n');
  }
}

function* isClosingLine({ tape }: Session, fence: Fence, close: string): Reader<boolean> {
  for (let indent = 0; indent < 3; indent += 1) if (!(yield* tape.take(' '))) break;
  if (!(yield* tape.take(close))) return false;
  while (yield* tape.take(fence.unit));
  const end = tape.position;
  for (;;) {
    const code = yield* tape.peek();
    if (code !== 32 && code !== 9) break;
    tape.position += 1;
  }
  if (tape.code() >= 0 && tape.code() !== 10 && tape.code() !== 13) return false;
  tape.position = end;
  return true;
}

/** The end of the whole lines at the beginning of `text` that do not close the block. */
function openLines(text: string, { unit, length }: Fence): number {
  for (let at = text.indexOf(unit); at >= 0; ) {
    let end = at + 1;
    while (text[end] === unit) end += 1;
    const isLong = end - at >= length;
    const lineStart = at - indentBefore(text, at);
    while (text[end] === ' ' || text[end] === '\t') end += 1;
    const isLine = lineStart === 0 || text[lineStart - 1] === '\n';
    if (isLine && end >= text.length) return lineStart;
    if (isLine && isLong && (text[end] === '\n' || text[end] === '\r')) return lineStart;
    at = text.indexOf(unit, end);
  }
  return text.lastIndexOf('\n') + 1;
}

/** Spaces before `at`, of the three that a closing line may have. */
function indentBefore(text: string, at: number): number {
  let start = at;
  while (at - start < 3 && text[start - 1] === ' ') start -= 1;
  return at - start;
}

function withoutClosingLine(body: string, fence: Fence): string {
  const last = body.lastIndexOf('\n');
  const line = body.slice(last + 1).trim();
  const closes = line.length >= fence.length && line === fence.unit.repeat(line.length);
  return closes ? body.slice(0, Math.max(last, 0)) : body;
}
