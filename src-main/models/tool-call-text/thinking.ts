import { unmarkedLength } from './plain-text.ts';
import { type Session, skipLeftovers } from './session.ts';
import type { Reader } from './tape.ts';

/**
 * Reads thinking up to one of `closes`. What looks like a call in there is a thought, unless the
 * thinking is never closed and the call is the whole of it or the last thing the model wrote: then
 * the model went over to acting without saying so, and the position is set to where it did.
 */
export function* readThinking(session: Session, closes: readonly string[]): Reader<void> {
  const { tape, outlet, marks, patience } = session;
  let blank = true;
  while (yield* tape.more()) {
    tape.forget();
    const rest = tape.rest();
    const plain = unmarkedLength(rest, patience.isOver ? marks.thinkingCloses : marks.inThinking);
    if (plain > 0) {
      const text = plain === rest.length ? rest : rest.slice(0, plain);
      tape.position += plain;
      outlet.reasoning(text);
      blank &&= text.trim() === '';
      continue;
    }
    if ((yield* tape.takeAny(closes)) !== null) return yield* tape.skipSpace();
    const start = tape.position;
    const end = yield* readCandidate(session);
    if (end === null) {
      tape.position = start + 1;
      outlet.reasoning(rest.slice(0, 1));
      blank = false;
      continue;
    }
    const closed = (yield* tape.until(closes)) !== null;
    if (!closed && !tape.cut && (blank || (yield* endsAt(session, end)))) {
      tape.position = start;
      return;
    }
    outlet.reasoning(tape.slice(start));
    blank = false;
  }
}

/** Passes over a call that stands here; null when none does. Returns where it ends. */
function* readCandidate(session: Session): Reader<number | null> {
  const { tape, marks, patience } = session;
  const hit = yield* marks.markers.take(tape);
  if (hit?.value.kind !== 'call' || !patience.spend()) return null;
  const before = tape.consumed;
  const items = yield* hit.value.family.read(session);
  if (items?.some((item) => item.ok)) return tape.position;
  patience.waste(tape.consumed - before);
  return null;
}

/** Whether nothing but calls stands from `position` to the end of the answer, which has come. */
function* endsAt(session: Session, position: number): Reader<boolean> {
  const { tape } = session;
  const end = tape.position;
  tape.position = position;
  let last: number | null = position;
  while (last !== null) {
    yield* skipLeftovers(session);
    if (tape.atEnd) break;
    last = yield* readCandidate(session);
  }
  const whole = last !== null;
  tape.position = end;
  return whole;
}
