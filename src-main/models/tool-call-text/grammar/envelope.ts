import type { Reader, Tape } from '../tape.ts';
import { MOST_CALLS_READ } from '../tool-index.ts';
import type { Grammar, Item, Site } from '../types.ts';

/** How far behind a call that broke off its closing mark is looked for. */
const FARTHEST_MARK = 1_000;

export interface EnvelopeOptions {
  /** What may close the envelope. None of them is insisted on: models forget them. */
  readonly closes: readonly string[];
  /** Marks without meaning of their own between the calls. */
  readonly between?: readonly string[];
}

/**
 * Calls between an opening and a closing mark, each in whichever of the grammars fits it. Null when
 * none is found, so that a mark that is only mentioned stays text.
 */
export function envelope(grammars: readonly Grammar[], options: EnvelopeOptions): Grammar {
  return function* readEnvelope(site) {
    const { tape } = site;
    const items: Item[] = [];
    let found = false;
    for (;;) {
      const before = tape.position;
      yield* skipBetween(tape, options.between ?? []);
      if ((yield* tape.takeAny(options.closes)) !== null) break;
      const read = yield* firstThatFits(site, grammars);
      if (read === null) {
        tape.position = before;
        break;
      }
      found = true;
      items.push(...read);
      const last = items.at(-1);
      if (last?.ok === false && last.isBroken === true) yield* resynchronise(tape, options);
      if (items.length >= MOST_CALLS_READ) break;
    }
    return found ? items : null;
  };
}

/** Reads with the first grammar that recognises what stands here. */
export function* firstThatFits(site: Site, grammars: readonly Grammar[]): Reader<Item[] | null> {
  const start = site.tape.position;
  for (const grammar of grammars) {
    site.tape.position = start;
    const items = yield* grammar(site);
    if (items !== null) return items;
  }
  site.tape.position = start;
  return null;
}

/** A grammar that begins with `mark`. */
export function after(mark: string, grammar: Grammar): Grammar {
  return function* readAfter(site) {
    yield* site.tape.skipSpace();
    return (yield* site.tape.take(mark)) ? yield* grammar(site) : null;
  };
}

function* skipBetween(tape: Tape, between: readonly string[]): Reader<void> {
  do {
    yield* tape.skipSpace(',;');
  } while ((yield* tape.takeAny(between)) !== null);
}

/** After a call that broke off: on to the next mark, if it comes before another line begins. */
function* resynchronise(tape: Tape, { closes, between }: EnvelopeOptions): Reader<void> {
  const start = tape.position;
  const stop = yield* tape.until([...closes, ...(between ?? []), '\n'], FARTHEST_MARK);
  if (stop === null || stop === '\n') tape.position = start;
}
