import type { JsonSchema } from '../../types.ts';
import { envelope } from '../grammar/envelope.ts';
import { behindBlank } from '../grammar/literal.ts';
import { itemSchema, propertySchema, typedValue, typesOf } from '../grammar/typed-value.ts';
import { LONGEST_HEAD } from '../tape.ts';
import type { Family, Grammar } from '../types.ts';

/** Stands before every tag, so that no value can be taken for one. */
const MARK = ']<]minimax[>[';
const CLOSE = `${MARK}</tool_call>`;
const CALL_CLOSE = `${MARK}</invoke>`;
const CALL_OPEN = /^<invoke name="([^"]*)">$/;
/** A tag behind its mark; no name is longer. */
const TAG = /<(\/)?([^<>/]{1,254})>/y;
const DEEPEST = 64;

/** An element, by the places of what stands in it. */
interface Element {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The text of a call, with its elements by the places where they open. */
interface Body {
  readonly text: string;
  readonly elements: ReadonlyMap<number, Element>;
}

const call: Grammar = function* readCall({ tape, tools }) {
  yield* tape.skipSpace();
  if (!(yield* tape.take(MARK))) return null;
  const start = tape.position;
  if ((yield* tape.until(['>', '\n'], LONGEST_HEAD)) !== '>') return null;
  tape.position += 1;
  const name = CALL_OPEN.exec(tape.slice(start))?.[1];
  if (name === undefined) return null;
  const bodyStart = tape.position;
  const closed = (yield* tape.until([CALL_CLOSE])) !== null;
  const text = tape.slice(bodyStart);
  if (closed) tape.position += CALL_CLOSE.length;
  const schema = tools.schema(tools.resolve(name) ?? '');
  const body = { text, elements: pairTags(text) };
  const elements = closed ? elementsIn(body, 0, text.length) : null;
  if (elements === null) return [tools.incomplete(name, text)];
  const values = new Values(body, schema);
  const args = values.object(elements, schema);
  return [values.isAmbiguous ? tools.incomplete(name, text) : tools.call(name, args)];
};

export const minimaxM3: Family = {
  id: 'minimax m3',
  opens: [`${MARK}<tool_call>`],
  read: envelope([call], { closes: [CLOSE] }),
};

export const minimaxM3Closes = [CLOSE];

/** The elements of a text: each tag that opens one, with the first that closes it. */
function pairTags(text: string): Map<number, Element> {
  const elements = new Map<number, Element>();
  const open = new Map<string, { readonly at: number; readonly start: number }[]>();
  for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + MARK.length)) {
    TAG.lastIndex = at + MARK.length;
    const [tag = '', closes, name = ''] = TAG.exec(text) ?? [];
    if (tag === '') continue;
    const opened = open.get(name) ?? [];
    if (closes === undefined) {
      opened.push({ at, start: at + MARK.length + tag.length });
      open.set(name, opened);
      continue;
    }
    const last = opened.pop();
    if (last !== undefined) elements.set(last.at, { name, start: last.start, end: at });
  }
  return elements;
}

/** The elements that make up the text between two places, or null when it is not made of them alone. */
function elementsIn({ text, elements }: Body, start: number, end: number): Element[] | null {
  const found: Element[] = [];
  for (let at = behindBlank(text, start); at < end; ) {
    const element = elements.get(at);
    if (element === undefined || element.end >= end) return null;
    found.push(element);
    at = behindBlank(text, element.end + MARK.length + element.name.length + 3);
  }
  return found;
}

/** The values of elements, each as its schema has it. */
class Values {
  readonly #body: Body;
  readonly #root: JsonSchema | undefined;
  /** An argument that takes one value was given twice. */
  isAmbiguous = false;

  constructor(body: Body, root: JsonSchema | undefined) {
    this.#body = body;
    this.#root = root;
  }

  object(
    elements: readonly Element[],
    schema: JsonSchema | undefined,
    depth = 0,
  ): Record<string, unknown> {
    const property = (name: string) =>
      schema === undefined ? undefined : propertySchema(schema, name, this.#root ?? schema);
    const byName = Map.groupBy(elements, ({ name }) => name);
    return Object.fromEntries(
      [...byName].map(([name, given]) => [name, this.#property(given, property(name), depth + 1)]),
    );
  }

  /** A repeated tag gives an array its elements. */
  #property(given: readonly Element[], schema: JsonSchema | undefined, depth: number): unknown {
    const [first] = given;
    if (first !== undefined && given.length === 1) return this.#value(first, schema, depth);
    const root = this.#root ?? {};
    if (!typesOf(schema, root).has('array')) this.isAmbiguous = true;
    const items = schema === undefined ? undefined : itemSchema(schema, this.#root ?? schema);
    return given.map((element) => this.#value(element, items, depth));
  }

  #value(element: Element, schema: JsonSchema | undefined, depth: number): unknown {
    const { start, end } = element;
    const types = typesOf(schema, this.#root ?? {});
    const isText = types.has('string') || depth > DEEPEST;
    const elements = isText ? null : elementsIn(this.#body, start, end);
    if (elements === null || elements.length === 0) {
      return typedValue(this.#body.text.slice(start, end), schema, this.#root);
    }
    const isArray =
      types.size > 0 ? types.has('array') : elements.every(({ name }) => name === 'item');
    if (!isArray) return this.object(elements, schema, depth);
    const items = schema === undefined ? undefined : itemSchema(schema, this.#root ?? schema);
    return elements.map((one) => this.#value(one, items, depth + 1));
  }
}
