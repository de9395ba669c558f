import { isSpace, LONGEST_HEAD, type Reader, type Tape } from '../tape.ts';
import type { Grammar, Item, Site } from '../types.ts';
import { readJsonText } from './json-text.ts';
import { mayEndOpen, type TaggedArgument, taggedCall } from './tag-values.ts';
import { jsonOrLiteral } from './typed-value.ts';

const KEY_OPEN = '<arg_key>';
const KEY_CLOSE = '</arg_key>';
const VALUE_OPEN = '<arg_value>';
const VALUE_CLOSE = '</arg_value>';
const CALL_CLOSE = '</tool_call>';
const SEPARATOR = '<tool_sep>';
const LONGEST_NAME = 128;
const NOT_IN_NAMES = '<>{}[]()"`,;';

/**
 * A name, then `<arg_key>` and `<arg_value>` in turn; or a name alone before `</tool_call>`; or a
 * name and a JSON object. Models drop either tag of a value, which its neighbours make good.
 */
export const argumentPairs: Grammar = function* readPairs(site) {
  const { tape } = site;
  const name = yield* readName(tape);
  if (name === '') return null;
  const separated = yield* tape.take(SEPARATOR);
  yield* tape.skipSpace();
  if (yield* tape.comes('{')) return yield* readJsonArguments(site, name);
  const given: TaggedArgument[] = [];
  while (yield* tape.take(KEY_OPEN)) {
    const argument = yield* readPair(site);
    if (argument === null) return [incomplete(site, name, given)];
    given.push(argument);
    yield* tape.skipSpace();
  }
  if (yield* tape.comes(CALL_CLOSE)) return [taggedCall(site, name, given)];
  if (given.length === 0) return separated && tape.atEnd ? [incomplete(site, name, given)] : null;
  const whole = !tape.atEnd || mayEndOpen(site, name, given);
  return [whole ? taggedCall(site, name, given) : incomplete(site, name, given)];
};

/** A word of up to 128 units, and the white space after it; empty when there is none. */
export function* readName(tape: Tape): Reader<string> {
  yield* tape.skipSpace();
  const start = tape.position;
  for (;;) {
    const code = yield* tape.peek();
    const tooLong = tape.position - start > LONGEST_NAME;
    if (code < 0 || isSpace(code) || tooLong) break;
    if (NOT_IN_NAMES.includes(String.fromCharCode(code))) break;
    tape.position += 1;
  }
  const name = tape.slice(start);
  yield* tape.skipSpace();
  return name.length > LONGEST_NAME ? '' : name;
}

function* readPair({ tape }: Site): Reader<TaggedArgument | null> {
  const keyStart = tape.position;
  if ((yield* tape.until([KEY_CLOSE, '\n', VALUE_OPEN], LONGEST_HEAD)) !== KEY_CLOSE) return null;
  const key = tape.slice(keyStart).trim();
  tape.position += KEY_CLOSE.length;
  yield* tape.skipSpace();
  const opened = yield* tape.take(VALUE_OPEN);
  const start = tape.position;
  let stop = yield* tape.until([VALUE_CLOSE, KEY_OPEN, CALL_CLOSE]);
  while (stop !== null && stop !== VALUE_CLOSE && (yield* isPartOfValue(tape, stop))) {
    tape.position += stop.length;
    stop = yield* tape.until([VALUE_CLOSE, KEY_OPEN, CALL_CLOSE]);
  }
  if (key === '' || (stop === null && (tape.cut || !opened))) return null;
  const text = tape.slice(start);
  if (stop === VALUE_CLOSE) tape.position += VALUE_CLOSE.length;
  return { key, text: stop === VALUE_CLOSE && opened ? text : text.trim() };
}

/** A mark inside a value is followed by the value's closing tag before any other value opens. */
function* isPartOfValue(tape: Tape, mark: string): Reader<boolean> {
  const at = tape.position;
  tape.position += mark.length;
  const next = yield* tape.until([VALUE_CLOSE, VALUE_OPEN, '<tool_call>']);
  tape.position = at;
  return next === VALUE_CLOSE;
}

function* readJsonArguments(site: Site, name: string): Reader<Item[] | null> {
  const json = yield* readJsonText(site.tape);
  const args = json.whole ? jsonOrLiteral(json.text) : undefined;
  return [
    args === undefined ? site.tools.incomplete(name, json.text) : site.tools.call(name, args),
  ];
}

function incomplete(site: Site, name: string, given: readonly TaggedArgument[]): Item {
  return site.tools.incomplete(name, JSON.stringify(given.map(({ key, text }) => [key, text])));
}
