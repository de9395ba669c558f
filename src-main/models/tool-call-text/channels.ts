import { readNamedArguments } from './families/named-json.ts';
import { after, envelope } from './grammar/envelope.ts';
import { invokeTags } from './grammar/invoke-tags.ts';
import { act, type Session, say, sayFrom } from './session.ts';
import type { Reader } from './tape.ts';
import { refused } from './tool-index.ts';
import type { Item } from './types.ts';

const MESSAGE = '<|message|>';
const BODY_ENDS = [
  '<|end|>',
  '<|eom|>',
  '<|eot|>',
  '<|call|>',
  '<|return|>',
  '<|start|>',
  '<|channel|>',
];
const CONSUMED_ENDS = BODY_ENDS.slice(0, 5);
const LONGEST_HEADER = 200;

const muse = envelope(
  [after('<atem:invoke', invokeTags({ call: 'atem:invoke', argument: 'atem:parameter' }))],
  { closes: ['</atem:function_calls>'] },
);

/**
 * A message with a header that says to whom it speaks, as gpt-oss (harmony) and muse write them:
 * to a tool it is a call, to the model itself it is thinking, and to the user it is text, whatever
 * it quotes. False when no such header stands here; the position may have moved.
 */
export function* readMessage(session: Session, start: number): Reader<boolean> {
  const { tape } = session;
  const header = yield* readHeader(session);
  if (header === null) return false;
  session.outlet.part();
  const recipient = /\bto=([^\s<]+)/.exec(header)?.[1] ?? null;
  const channel = /<\|channel\|>\s*(\w+)/.exec(header)?.[1] ?? null;
  const toModel = recipient === 'self' || (recipient === null && channel === 'analysis');
  if (toModel) {
    yield* tape.copyUntil(BODY_ENDS, (text) => session.outlet.reasoning(text));
  } else if (recipient === null || recipient === 'user') {
    yield* tape.copyUntil(BODY_ENDS, (text) => say(session, text));
  } else {
    yield* act(session, yield* readCalls(session, recipient), start);
  }
  yield* tape.takeAny(CONSUMED_ENDS);
  return true;
}

function* readHeader({ tape }: Session): Reader<string | null> {
  const start = tape.position;
  for (;;) {
    const stop = yield* tape.until([MESSAGE, '\n', '<'], LONGEST_HEADER);
    if (stop === null || stop === '\n' || tape.position - start > LONGEST_HEADER) return null;
    if (stop === MESSAGE) break;
    tape.position += 1;
  }
  const header = tape.slice(start);
  tape.position += MESSAGE.length;
  return header;
}

function* readCalls(session: Session, recipient: string): Reader<Item[]> {
  const { tape, tools } = session;
  yield* tape.skipSpace();
  const start = tape.position;
  if (yield* tape.take('<atem:function_calls>')) {
    const items = yield* muse(session);
    if (items !== null) return items.map((item) => addressed(item, recipient, session));
    tape.position = start;
  }
  const item = yield* readNamedArguments(session, recipient);
  if (item !== null) return [item];
  yield* tape.until(BODY_ENDS);
  return [tools.incomplete(recipient, tape.slice(start))];
}

/** A call goes to the tool that its message is addressed to, or nowhere. */
function addressed(item: Item, recipient: string, { tools }: Session): Item {
  const meant = tools.resolve(recipient) ?? recipient;
  if (!item.ok || item.name === meant || item.name === recipient) return item;
  const problem = `The message goes to "${recipient}" and calls "${item.name}"; they must agree.`;
  return refused(item.name, JSON.stringify(item.args), problem);
}

/** A channel mark that begins no message is passed over; said aloud when it is quoted. */
export function* readChannelMark(
  session: Session,
  { start, shown }: { start: number; shown: boolean },
): Reader<void> {
  const { tape } = session;
  const after = tape.position;
  tape.position = start;
  if (!shown && (yield* readMessage(session, start))) return;
  tape.position = after;
  if (shown) sayFrom(session, start);
}
