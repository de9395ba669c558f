import { LONGEST_HEAD, type Reader, type Tape } from '../tape.ts';
import type { Grammar, Item, Site } from '../types.ts';
import { mayEndOpen, readValue, type TaggedArgument, taggedCall } from './tag-values.ts';

export interface InvokeTags {
  /** The element of a call without its bracket: `invoke`, `｜DSML｜invoke`. */
  readonly call: string;
  /** The element of an argument without its bracket. */
  readonly argument: string;
  /** Marks that end a call whose own closing tag was forgotten. */
  readonly outerCloses?: readonly string[];
  /** The end of the answer may stand for the closing tag. */
  readonly mayEndOpen?: boolean;
  /** `<![CDATA[` frames a value. */
  readonly cdata?: boolean;
}

interface Head {
  readonly name: string | undefined;
  readonly isString: boolean | undefined;
  readonly empty: boolean;
}

const CDATA = '<![CDATA[';
const ATTRIBUTE = /(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * `<invoke name="NAME">` with `<parameter name="KEY">` values in it, under a family's own tag
 * names. Reads on from behind the name of the opening tag.
 */
export function invokeTags(tags: InvokeTags): Grammar {
  const close = `</${tags.call}>`;
  const outer = tags.outerCloses ?? [];
  const nextCall = `<${tags.call}`;
  return function* readInvoke(site) {
    const { tape } = site;
    const head = yield* readHead(tape);
    if (head?.name === undefined) return null;
    const given: TaggedArgument[] = [];
    for (;;) {
      yield* tape.skipSpace();
      if (head.empty || (yield* tape.take(close))) break;
      if (given.length > 0 && (yield* comesAny(tape, [...outer, nextCall]))) break;
      const argument = yield* readArgument(site, tags);
      if (argument !== null) {
        given.push(argument);
        continue;
      }
      const ends = tape.atEnd && given.length > 0 && tags.mayEndOpen === true;
      if (ends && mayEndOpen(site, head.name, given)) break;
      return yield* unfinished(site, head.name, { close, given });
    }
    return [taggedCall(site, head.name, given)];
  };
}

function* readArgument({ tape }: Site, tags: InvokeTags): Reader<TaggedArgument | null> {
  const start = tape.position;
  const [open, close] = [`<${tags.argument}`, `</${tags.argument}>`];
  if (!(yield* tape.take(open))) return null;
  const head = yield* readHead(tape);
  if (head?.name === undefined) {
    tape.position = start;
    return null;
  }
  const { name: key, isString } = head;
  if (head.empty) return { key, text: '', isString };
  const framed = tags.cdata === true && (yield* tape.take(CDATA));
  const value = yield* readValue(
    tape,
    framed ? `]]>${close}` : close,
    framed ? [] : [open, `</${tags.call}>`],
  );
  if (!value.closed) {
    tape.position = start;
    return null;
  }
  return { key, text: value.text, isString: framed ? true : isString };
}

/** The attributes up to the end of the tag; null when it does not end on its line. */
function* readHead(tape: Tape): Reader<Head | null> {
  const start = tape.position;
  if ((yield* tape.until(['>', '\n'], LONGEST_HEAD)) !== '>') return null;
  const text = tape.slice(start);
  tape.position += 1;
  const attributes = new Map(
    [...text.matchAll(ATTRIBUTE)].map(([, key, double, single]) => [key, double ?? single ?? '']),
  );
  const string = attributes.get('string');
  return {
    name: attributes.get('name') || undefined,
    isString: string === undefined ? undefined : string === 'true',
    empty: text.endsWith('/'),
  };
}

function* comesAny(tape: Tape, marks: readonly string[]): Reader<boolean> {
  for (const mark of marks) if (yield* tape.comes(mark)) return true;
  return false;
}

/** The call is refused as a whole: what stands up to its closing tag belongs to it. */
function* unfinished(
  { tape, tools }: Site,
  name: string,
  { close, given }: { close: string; given: readonly TaggedArgument[] },
): Reader<Item[]> {
  if ((yield* tape.until([close])) !== null) tape.position += close.length;
  return [tools.incomplete(name, JSON.stringify(given.map(({ key, text }) => [key, text])))];
}
