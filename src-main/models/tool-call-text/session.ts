import { type MarkIndexes, markIndexes } from './markers.ts';
import { Outlet } from './outlet.ts';
import { Prose } from './prose.ts';
import { presentsExample } from './quotation.ts';
import { type Reader, Tape } from './tape.ts';
import { MOST_CALLS_READ, type ToolIndex } from './tool-index.ts';
import type { Item, Site } from './types.ts';

/** Everything that the reading of one answer shares. */
export interface Session extends Site {
  readonly outlet: Outlet;
  readonly prose: Prose;
  readonly marks: MarkIndexes;
  /** The calls that a text is made of, and of nothing else; null when it says anything besides. */
  readonly callsMaking: (text: string) => Item[] | null;
  /** Reading may stop where the answer says anything that is no call. */
  readonly callsOnly: boolean;
  readonly patience: Patience;
}

/** Places of one answer that are looked into. No answer has as many; each costs time, and a server may send a million. */
const MOST_MARKS = 1_000;

/**
 * Most units of one answer that may be read twice: as a call that turns out to be none, then as text. Usually that is
 * a word or a line; no model writes a quarter of a million units of it.
 */
const MOST_IN_VAIN = 256 * 1024;

/** How much more of an answer is looked into; past that, the rest of it is text. */
export class Patience {
  #marks = MOST_MARKS;
  #units = MOST_IN_VAIN;
  #calls = MOST_CALLS_READ;

  get isOver(): boolean {
    return this.#marks <= 0 || this.#units < 0 || this.#calls <= 0;
  }

  /** False where it is over. */
  spend(): boolean {
    if (this.isOver) return false;
    this.#marks -= 1;
    return true;
  }

  /** Takes note of calls that were made. */
  made(calls: number): void {
    this.#calls -= calls;
  }

  /** Takes note of units that were read in vain. */
  waste(units: number): void {
    this.#units -= units;
  }
}

/** What `reader` makes of what stands here; where that is nothing, its work was in vain. */
export function* attempt<Made>(
  { tape, patience }: Session,
  reader: Reader<Made | null>,
): Reader<Made | null> {
  const before = tape.consumed;
  const made = yield* reader;
  if (made === null) patience.waste(tape.consumed - before);
  return made;
}

export type SessionParts = Pick<Session, 'patience' | 'callsMaking' | 'callsOnly'> & {
  readonly newId: () => string;
};

export function newSession(tools: ToolIndex, { newId, ...parts }: SessionParts): Session {
  return {
    ...parts,
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
  const { tape, outlet, prose, patience } = session;
  outlet.items(items, items.every((item) => item.ok) ? '' : tape.slice(start));
  patience.made(items.length);
  prose.reset();
  yield* skipLeftovers(session);
}

/** Whether what comes at the position is shown rather than done. */
export function isShown({ prose }: Session): boolean {
  return prose.quoted || presentsExample(prose.lead);
}

export function* skipLeftovers({ tape, marks }: Session): Reader<void> {
  do {
    yield* tape.skipSpace('}');
    while (tape.code() === CLOSING_BRACKET) {
      // One too many; but MiniMax's marks begin with one.
      const next = tape.code(1);
      if ((next < 0 ? yield* tape.peek(1) : next) === LESS_THAN) break;
      tape.position += 1;
      if (next !== CLOSING_BRACKET) yield* tape.skipSpace('}');
    }
  } while ((yield* marks.leftovers.take(tape)) !== null);
}

const [CLOSING_BRACKET, LESS_THAN] = [93, 60];
