import { LONGEST_HEAD, type Reader } from '../tape.ts';
import type { Grammar, Item, Site } from '../types.ts';
import { readJsonText } from './json-text.ts';
import { mayEndOpen, readValue, type TaggedArgument, taggedCall } from './tag-values.ts';
import { jsonOrLiteral } from './typed-value.ts';

const CLOSE = '</function>';
const PARAMETER = '<parameter=';
const OUTER_CLOSE = '</tool_call>';

/**
 * `<function=NAME>` with `<parameter=KEY>` values in it, or with one JSON object of arguments.
 * Reads on from behind `<function=`.
 */
export const functionTags: Grammar = function* readFunction(site) {
  const { tape } = site;
  const name = yield* readTagName(site);
  if (name === null) return null;
  const given: TaggedArgument[] = [];
  for (;;) {
    yield* tape.skipSpace();
    if (yield* tape.take(CLOSE)) break;
    if (yield* tape.comes(OUTER_CLOSE)) break;
    if (given.length === 0 && (yield* tape.comes('{'))) return yield* readJsonArguments(site, name);
    if (!(yield* tape.take(PARAMETER))) {
      if (tape.atEnd && given.length > 0 && mayEndOpen(site, name, given)) break;
      return unfinished(site, name, given);
    }
    const key = yield* readTagName(site);
    if (key === null) return unfinished(site, name, given);
    const value = yield* readValue(tape, '</parameter>', [PARAMETER, CLOSE, OUTER_CLOSE]);
    given.push({ key, text: value.text });
    if (!value.closed) return unfinished(site, name, given);
  }
  return [taggedCall(site, name, given)];
};

/** The rest of a tag whose name follows an equals sign; null when it is not closed on its line. */
function* readTagName({ tape }: Site): Reader<string | null> {
  const start = tape.position;
  if ((yield* tape.until(['>', '\n', '<'], LONGEST_HEAD)) !== '>') return null;
  const name = tape.slice(start).trim();
  tape.position += 1;
  return name === '' ? null : name;
}

function* readJsonArguments(site: Site, name: string): Reader<Item[]> {
  const json = yield* readJsonText(site.tape);
  const args = json.whole ? jsonOrLiteral(json.text) : undefined;
  if (args === undefined) return [site.tools.incomplete(name, json.text)];
  yield* site.tape.skipSpace();
  yield* site.tape.take(CLOSE);
  return [site.tools.call(name, args)];
}

/** Without a parameter or the end of the answer, the tag was only mentioned. */
function unfinished(
  { tape, tools }: Site,
  name: string,
  given: readonly TaggedArgument[],
): Item[] | null {
  if (given.length === 0 && !tape.atEnd) return null;
  return [tools.incomplete(name, JSON.stringify(given.map(({ key, text }) => [key, text])))];
}
