import { pythonCalls } from './grammar/python-calls.ts';
import { announcesCall } from './quotation.ts';
import { act, type Session, say, sayFrom, skipLeftovers } from './session.ts';
import type { Reader } from './tape.ts';
import type { Item } from './types.ts';

interface Fence {
  readonly unit: string;
  readonly length: number;
  readonly info: string;
}

const CALL_INFO =
  /^(?:|jsonc?|xml|text|plaintext|tools?|(?:tool|function)[_-]?(?:calls?|code|use)?)$/i;
const LONGEST_INFO = 80;

/**
 * A fenced block, with the position on its first backtick or tilde at the start of a line. It is
 * text, quoted as it stands, unless it is all that the answer says, or announced and the last thing
 * it says, and holds nothing but calls. False, unmoved, when no block opens here.
 */
export function* readFence(session: Session): Reader<boolean> {
  const { tape, prose } = session;
  const start = tape.position;
  const fence = yield* readOpening(session);
  if (fence === null) {
    tape.position = start;
    return false;
  }
  const mayAct = CALL_INFO.test(fence.info) && (prose.blank || announcesCall(prose.lead));
  const items =
    mayAct && !prose.quoted && session.patience.spend()
      ? yield* readActingBlocks(session, fence)
      : null;
  if (items !== null) {
    yield* act(session, items, start);
    return true;
  }
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

function callsIn({ tools, callsMaking }: Session, fence: Fence, body: string): Item[] | null {
  const code = /^tool/i.test(fence.info) ? pythonCalls(unprinted(body), tools) : null;
  const items = code ?? callsMaking(body);
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
  if (length < 3) return null;
  const infoStart = tape.position;
  const stop = yield* tape.until(['\n', '`']);
  const info = tape.slice(infoStart).trim();
  if (stop === '`' || info.length > LONGEST_INFO) return null;
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

function withoutClosingLine(body: string, fence: Fence): string {
  const last = body.lastIndexOf('\n');
  const line = body.slice(last + 1).trim();
  const closes = line.length >= fence.length && line === fence.unit.repeat(line.length);
  return closes ? body.slice(0, Math.max(last, 0)) : body;
}
