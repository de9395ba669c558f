import { type Session, skipLeftovers } from './session.ts';
import type { Reader } from './tape.ts';

const MARK_STARTS = /[<[\]]/;

/**
 * Reads thinking up to one of `closes`. What looks like a call in there is a thought, unless the
 * thinking is never closed and the call is the whole of it or the last thing the model wrote: then
 * the model went over to acting without saying so, and the position is set to where it did.
 */
export function* readThinking(session: Session, closes: readonly string[]): Reader<void> {
  const { tape, outlet } = session;
  let blank = true;
  while (yield* tape.more()) {
    tape.forget();
    const rest = tape.rest();
    const plain = rest.search(MARK_STARTS);
    if (plain !== 0) {
      const text = plain < 0 ? rest : rest.slice(0, plain);
      tape.position += text.length;
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
function* readCandidate({ tape, tools, marks, patience }: Session): Reader<number | null> {
  const hit = yield* marks.markers.take(tape);
  if (hit?.value.kind !== 'call' || !patience.spend()) return null;
  const items = yield* hit.value.family.read({ tape, tools });
  return items?.some((item) => item.ok) ? tape.position : null;
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
