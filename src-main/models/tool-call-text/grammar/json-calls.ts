import type { Reader } from '../tape.ts';
import { MOST_CALLS_READ } from '../tool-index.ts';
import type { Grammar, Item, Site } from '../types.ts';
import { type CallShape, callShapes } from './call-shapes.ts';
import { readJsonText } from './json-text.ts';
import { jsonOrLiteral } from './typed-value.ts';

const OBJECT = 123;
const NAME = /"(?:name|tool_name|function_name)"\s*:\s*"/g;
const ARGUMENTS = /"(?:arguments|parameters|args|input)"\s*:\s*/;

/** How a family states a call as a JSON value. */
export type ShapesOf = (value: unknown) => readonly CallShape[] | null;

/** JSON that states calls: one object, or an array of them, read element by element. */
export function jsonCalls(shapesOf: ShapesOf = callShapes): Grammar {
  return function* readCalls(site) {
    const { tape } = site;
    yield* tape.skipSpace();
    if ((yield* tape.peek()) === OBJECT) return yield* readObject(site, shapesOf);
    if (!(yield* tape.take('['))) return null;
    const items: Item[] = [];
    for (;;) {
      yield* tape.skipSpace(',');
      if ((yield* tape.take(']')) || items.length >= MOST_CALLS_READ) return items;
      if ((yield* tape.peek()) !== OBJECT) return items.length > 0 ? unclosed(items, site) : null;
      const read = yield* readObject(site, shapesOf);
      if (read === null) return null;
      items.push(...read);
    }
  };
}

function* readObject({ tape, tools }: Site, shapesOf: ShapesOf): Reader<Item[] | null> {
  const json = yield* readJsonText(tape);
  const value = json.whole ? jsonOrLiteral(json.text) : undefined;
  if (value === undefined) {
    const name = nameIn(json.text);
    return name === null ? null : [tools.incomplete(name, argumentsIn(json.text))];
  }
  return shapesOf(value)?.map(({ name, args }) => tools.call(name, args ?? {})) ?? null;
}

/** The calls of an array that breaks off: whatever was to follow, none of them is run. */
function unclosed(items: readonly Item[], { tools }: Site): Item[] {
  return items.map((item) =>
    item.ok ? tools.incomplete(item.name, JSON.stringify(item.args)) : item,
  );
}

function nameIn(text: string): string | null {
  NAME.lastIndex = 0;
  while (NAME.test(text)) {
    const end = stringEnd(text, NAME.lastIndex);
    if (end >= 0) return text.slice(NAME.lastIndex, end).replaceAll('\\"', '"');
  }
  return null;
}

/** Where the string ends that begins at `start`; -1 when it does not. */
function stringEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at += 1;
  }
  return -1;
}

function argumentsIn(text: string): string {
  const found = ARGUMENTS.exec(text);
  return found === null ? '' : text.slice(found.index + found[0].length);
}
