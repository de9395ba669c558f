import { type MarkIndexes, markIndexes } from './markers.ts';
import { Outlet } from './outlet.ts';
import { Prose } from './prose.ts';
import { presentsExample } from './quotation.ts';
import { type Reader, Tape } from './tape.ts';
import type { ToolIndex } from './tool-index.ts';
import type { Item, Site } from './types.ts';

/** Everything that the reading of one answer shares. */
export interface Session extends Site {
  readonly outlet: Outlet;
  readonly prose: Prose;
  readonly marks: MarkIndexes;
  /** The calls that a text is made of, and of nothing else; null when it says anything besides. */
  readonly callsMaking: (text: string) => Item[] | null;
  readonly patience: Patience;
}

/** Marks of one answer that are looked into. No answer has as many; each costs time, and a server may send a million. */
const MOST_MARKS = 1_000;

/** How many more places of an answer are looked into; past that, the rest of it is text. */
export class Patience {
  #left = MOST_MARKS;

  get isOver(): boolean {
    return this.#left === 0;
  }

  /** False where it is over. */
  spend(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}

export interface SessionParts {
  readonly newId: () => string;
  readonly patience: Patience;
  readonly callsMaking: (text: string) => Item[] | null;
}

export function newSession(tools: ToolIndex, parts: SessionParts): Session {
  const { newId, callsMaking, patience } = parts;
  return {
    callsMaking,
    patience,
    tape: new Tape(),
    tools,
    outlet: new Outlet(newId),
    prose: new Prose(),
    marks: markIndexes(),
  };
}

/** Hands on `text` as the answer's own, and remembers it as what was said before the next mark. */
export function say({ outlet, prose }: Session, text: string): void {
  if (text === '') return;
  outlet.text(text);
  prose.feed(text);
}

/** Hands on what stands between `start` and the position as text. */
export function sayFrom(session: Session, start: number): void {
  say(session, session.tape.slice(start));
}

/** Hands on calls, and passes over the marks that may be left behind them. */
export function* act(session: Session, items: readonly Item[], start: number): Reader<void> {
  const { tape, outlet, prose } = session;
  outlet.items(items, tape.slice(start));
  prose.reset();
  yield* skipLeftovers(session);
}

/** Whether what comes at the position is shown rather than done. */
export function isShown({ prose }: Session): boolean {
  return prose.quoted || presentsExample(prose.lead);
}

export function* skipLeftovers({ tape, marks }: Session): Reader<void> {
  for (;;) {
    yield* tape.skipSpace();
    const closer = (yield* tape.take('}')) || (yield* takeStrayBracket(tape));
    if (!closer && (yield* marks.leftovers.take(tape)) === null) return;
  }
}

/** A bracket too many; but MiniMax's marks begin with one. */
function* takeStrayBracket(tape: Tape): Reader<boolean> {
  if ((yield* tape.peek()) !== 93 || (yield* tape.peek(1)) === 60) return false;
  tape.position += 1;
  return true;
}
