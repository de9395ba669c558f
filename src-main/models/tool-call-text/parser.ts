import { randomUUID } from 'node:crypto';
import { readAnswer } from './answer.ts';
import { THINKING_CLOSES } from './markers.ts';
import { newSession, Patience, type Session } from './session.ts';
import type { Reader } from './tape.ts';
import { readThinking } from './thinking.ts';
import { ToolIndex } from './tool-index.ts';
import type { Item, ToolCallTextOptions, ToolCallTextParser } from './types.ts';

/**
 * A parser for one answer in which the model may write its tool calls as text, in the form of any
 * family. Text flows out as soon as it can no longer be part of a call; a call comes out once, when
 * it is complete. However the answer is cut into chunks, the pieces join up to the same.
 */
export function createToolCallTextParser(options: ToolCallTextOptions = {}): ToolCallTextParser {
  const tools = new ToolIndex(options.tools);
  const patience = new Patience();
  const session = newSession(tools, {
    newId: options.newId ?? randomCallId,
    callsMaking: (text) => callsMaking(text, tools, { patience, depth: 1 }),
    callsOnly: false,
    patience,
  });
  const reading = read(session, options.startsInThinking === true);
  return {
    push(chunk) {
      session.tape.append(chunk);
      reading.next();
      return session.outlet.drain();
    },
    end({ cut = false } = {}) {
      session.tape.end(cut);
      reading.next();
      session.outlet.finish();
      return session.outlet.drain();
    },
  };
}

function* read(session: Session, startsInThinking: boolean): Reader<void> {
  if (startsInThinking) yield* readThinking(session, THINKING_CLOSES);
  yield* readAnswer(session);
}

/** Blocks in a block. Models forget line breaks between blocks, and then one stands in the other. */
const DEEPEST_BLOCK = 32;

function callsMaking(
  text: string,
  tools: ToolIndex,
  { patience, depth }: { readonly patience: Patience; readonly depth: number },
): Item[] | null {
  if (depth > DEEPEST_BLOCK) return null;
  // Text in nested blocks is read again for each of them.
  if (depth > 1) patience.waste(text.length);
  const session = newSession(tools, {
    newId: () => '',
    callsMaking: (inner) => callsMaking(inner, tools, { patience, depth: depth + 1 }),
    callsOnly: true,
    patience,
  });
  session.tape.append(text);
  session.tape.end(false);
  read(session, false).next();
  const items: Item[] = [];
  for (const piece of session.outlet.drain()) {
    if (piece.kind !== 'call') return null;
    items.push({ ok: true, name: piece.call.name, args: piece.call.arguments });
  }
  return items;
}

function randomCallId(): string {
  return `call_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
}
